import{d as e}from"../shared/D7DV7PPY.js";var t=[[0n,0n,0n,1n],[1n,0n,1n,1n]],i=(o,n)=>((Object.keys(o).length>1||n!==2n)&&e("two coins take no parameters, and are for yes and no"),{id:"two-coin/1",answerKind:"choice",answers:n,reports:2n,odds:{n:3n,d:1n},randomize:(r,s)=>t[Number(r)][Number(s.bits(2))]});export{i as fromSpec};
//# sourceMappingURL=two-coin.js.map
