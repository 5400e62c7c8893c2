import{a,b,c}from"./shared/KTU5NZC6.js";import"./page/page.js";export{c as Coins,a as bitsFor,b as bytesFor};
