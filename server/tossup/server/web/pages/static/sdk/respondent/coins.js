import{a,b,c}from"./shared/ZS5MQP6G.js";import"./page/page.js";export{c as Coins,a as bitsFor,b as bytesFor};
