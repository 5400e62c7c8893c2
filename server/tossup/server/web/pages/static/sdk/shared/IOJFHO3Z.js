import{a}from"./MYM4OEUR.js";function l(n){let e=Math.max(...n.map(a)),i=Math.max(...n.map(t=>(2**a(t)-t)*2**(e-a(t)))),r=0,g=BigInt(n.length)<<128n;for(let t=BigInt(i);g*t>1n<<BigInt(e*(r+1));t*=BigInt(i))r+=1,g=g*BigInt(n.length+r)/BigInt(r+1);return Math.ceil(e*(n.length+r)/8)}export{l as a};
//# sourceMappingURL=IOJFHO3Z.js.map
