import{e as p}from"./O6LJBGHU.js";import{e as m,i as o}from"./LYKLEBM5.js";var s=(i,n)=>{let[r,e]=m(i,"keep lie");return o(r,e),p("optimized-unary/1",n,r+e,2*e,2*(r+e))};export{s as a};
//# sourceMappingURL=5MZ6CTVH.js.map
