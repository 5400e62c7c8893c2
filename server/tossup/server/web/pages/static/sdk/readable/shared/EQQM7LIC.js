import {
  unary
<<<<<<<< HEAD:server/tossup/server/web/pages/static/sdk/readable/shared/EQQM7LIC.js
} from "./4KNLOJAT.js";
import {
  checkKeepAndLie,
  numbers
} from "./QAYYS2D5.js";
========
} from "./RMMKLW2D.js";
import {
  checkKeepAndLie,
  numbers
} from "./U653YDH4.js";
>>>>>>>> 68f35788 (shared, web: let a number say its unit, signed and shown beside the field (#12)):server/tossup/server/web/pages/static/sdk/readable/shared/UXKODY5F.js

// src/mechanisms/optimized-unary.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  checkKeepAndLie(keep, lie);
  return unary("optimized-unary/1", answers, keep + lie, 2 * lie, 2 * (keep + lie));
};

export {
  fromSpec
};
<<<<<<<< HEAD:server/tossup/server/web/pages/static/sdk/readable/shared/EQQM7LIC.js
//# sourceMappingURL=EQQM7LIC.js.map
========
//# sourceMappingURL=UXKODY5F.js.map
>>>>>>>> 68f35788 (shared, web: let a number say its unit, signed and shown beside the field (#12)):server/tossup/server/web/pages/static/sdk/readable/shared/UXKODY5F.js
