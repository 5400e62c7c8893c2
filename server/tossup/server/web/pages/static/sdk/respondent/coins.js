import{a,b,c}from"./shared/IAFTH7ES.js";import"./page/page.js";export{c as Coins,a as bitsFor,b as bytesFor};
