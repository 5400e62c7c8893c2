import {
  kAry
<<<<<<<< HEAD:server/tossup/server/web/pages/static/sdk/readable/shared/YXLZZU2O.js
} from "./4KNLOJAT.js";
import {
  numbers
} from "./QAYYS2D5.js";
========
} from "./RMMKLW2D.js";
import {
  numbers
} from "./U653YDH4.js";
>>>>>>>> 68f35788 (shared, web: let a number say its unit, signed and shown beside the field (#12)):server/tossup/server/web/pages/static/sdk/readable/shared/P222DLA7.js

// src/mechanisms/k-ary-randomized-response.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return kAry(answers, keep, lie);
};

export {
  fromSpec
};
<<<<<<<< HEAD:server/tossup/server/web/pages/static/sdk/readable/shared/YXLZZU2O.js
//# sourceMappingURL=YXLZZU2O.js.map
========
//# sourceMappingURL=P222DLA7.js.map
>>>>>>>> 68f35788 (shared, web: let a number say its unit, signed and shown beside the field (#12)):server/tossup/server/web/pages/static/sdk/readable/shared/P222DLA7.js
