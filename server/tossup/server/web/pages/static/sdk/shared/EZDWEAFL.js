import{e as p}from"./ESG5SCET.js";import{e as m,i as o}from"./BW377ODP.js";var s=(i,n)=>{let[r,e]=m(i,"keep lie");return o(r,e),p("optimized-unary/1",n,r+e,2*e,2*(r+e))};export{s as a};
//# sourceMappingURL=EZDWEAFL.js.map
