<<<<<<< HEAD
import{d as e}from"../shared/D44IJOGY.js";var t=[[0n,0n,0n,1n],[1n,0n,1n,1n]],i=(o,n)=>((Object.keys(o).length>1||n!==2n)&&e("two coins take no parameters, and are for yes and no"),{id:"two-coin/1",answerKind:"choice",answers:n,reports:2n,odds:{n:3n,d:1n},randomize:(r,s)=>t[Number(r)][Number(s.bits(2))]});export{i as fromSpec};
=======
import{g as s}from"../shared/2DEBMJG4.js";var c=[[0n,0n,0n,1n],[1n,0n,1n,1n]],i=(t,n)=>{(Object.keys(t).length>1||n!==2n)&&s("two coins take no parameters, and are for yes and no");let[e,o]=[{n:3n,d:4n},{n:1n,d:4n}];return{id:"two-coin/1",answerKind:"choice",answers:n,reports:2n,odds:{n:3n,d:1n},stated:()=>({sentence:"answers",chances:[[e,o],[o,e]]}),randomize:(r,a)=>c[Number(r)][a.below(4)]}};export{i as fromSpec};
>>>>>>> cc458540 (web: build with all mechanisms; hold vectors, channels, refusals and sizes of the browser's by tests (#12))
//# sourceMappingURL=two-coin.js.map
