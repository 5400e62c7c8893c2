var o=n=>n.reduce((t,e)=>{for(;e;)[t,e]=[e,t%e];return t},0n),l=n=>n.reduce((t,e)=>t/o([t,e])*e,1n);function c(n,t){let e=1n;for(let r=0;r<t;r++)e=e*BigInt(n-r)/BigInt(r+1);return e}var b=n=>n>1?n*b(n-1):1;function g(n,t){let[e,r]=[0,n.length];for(;e<r;){let i=e+r>>1;n[i]<=t?e=i+1:r=i}return e}export{o as a,l as b,c,b as d,g as e};
//# sourceMappingURL=BSMWBRRJ.js.map
