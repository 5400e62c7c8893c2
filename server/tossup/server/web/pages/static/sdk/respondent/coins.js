import{a,b,c}from"./shared/55EEPFGU.js";import"./page/page.js";export{c as Coins,a as bitsFor,b as bytesFor};
