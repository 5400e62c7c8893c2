import{e as p}from"./TXHYIL3L.js";import{e as m,i as o}from"./FJJ4KGM3.js";var s=(i,n)=>{let[r,e]=m(i,"keep lie");return o(r,e),p("optimized-unary/1",n,r+e,2*e,2*(r+e))};export{s as a};
//# sourceMappingURL=ZQRO4NOQ.js.map
