import {
  kAry
<<<<<<<< HEAD:server/tossup/server/web/pages/static/sdk/readable/respondent/shared/YJBWQEQA.js
} from "./2U3ZSSGR.js";
import {
  numbers
} from "./BKIISGPW.js";
========
} from "./WFE4NW46.js";
import {
  numbers
} from "./EYTXCR6V.js";
>>>>>>>> 68f35788 (shared, web: let a number say its unit, signed and shown beside the field (#12)):server/tossup/server/web/pages/static/sdk/readable/respondent/shared/AA4BFIEN.js

// src/mechanisms/k-ary-randomized-response.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return kAry(answers, keep, lie);
};

export {
  fromSpec
};
