import{a,b,c}from"./shared/PKYEUIV5.js";import"../page/page.js";export{c as Coins,a as bitsFor,b as bytesFor};
