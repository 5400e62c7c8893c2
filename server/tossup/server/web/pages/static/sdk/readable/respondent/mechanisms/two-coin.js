import{fromSpec as fromSpec}from"../page/page.js";
export {
  fromSpec
};
