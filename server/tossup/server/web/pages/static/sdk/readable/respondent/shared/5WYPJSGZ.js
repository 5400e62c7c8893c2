import {
  symmetricUnary
<<<<<<<< HEAD:server/tossup/server/web/pages/static/sdk/readable/respondent/shared/5WYPJSGZ.js
} from "./2U3ZSSGR.js";
import {
  numbers
} from "./BKIISGPW.js";
========
} from "./WFE4NW46.js";
import {
  numbers
} from "./EYTXCR6V.js";
>>>>>>>> 68f35788 (shared, web: let a number say its unit, signed and shown beside the field (#12)):server/tossup/server/web/pages/static/sdk/readable/respondent/shared/2PBNG5RM.js

// src/mechanisms/symmetric-unary.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return symmetricUnary(answers, keep, lie);
};

export {
  fromSpec
};
