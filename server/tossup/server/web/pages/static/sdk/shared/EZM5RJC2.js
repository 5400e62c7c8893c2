var o=e=>e.reduce((n,t)=>{for(;t;)[n,t]=[t,n%t];return n},0n),b=e=>e.reduce((n,t)=>n/o([n,t])*t,1n);function c(e,n){let t=1n;for(let r=0;r<n;r++)t=t*BigInt(e-r)/BigInt(r+1);return t}var l=e=>e>1?e*l(e-1):1;function g(e,n){let[t,r]=[0,e.length];for(;t<r;){let i=t+r>>1;e[i]<=n?t=i+1:r=i}return t}export{o as a,b,c,l as d,g as e};
//# sourceMappingURL=EZM5RJC2.js.map
