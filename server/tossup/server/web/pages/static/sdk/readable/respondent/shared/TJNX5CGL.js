import {
  unary
<<<<<<<< HEAD:server/tossup/server/web/pages/static/sdk/readable/respondent/shared/TJNX5CGL.js
} from "./2U3ZSSGR.js";
import {
  checkKeepAndLie,
  numbers
} from "./BKIISGPW.js";
========
} from "./WFE4NW46.js";
import {
  checkKeepAndLie,
  numbers
} from "./EYTXCR6V.js";
>>>>>>>> 68f35788 (shared, web: let a number say its unit, signed and shown beside the field (#12)):server/tossup/server/web/pages/static/sdk/readable/respondent/shared/ZQNWT23D.js

// src/mechanisms/optimized-unary.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  checkKeepAndLie(keep, lie);
  return unary("optimized-unary/1", answers, keep + lie, 2 * lie, 2 * (keep + lie));
};

export {
  fromSpec
};
