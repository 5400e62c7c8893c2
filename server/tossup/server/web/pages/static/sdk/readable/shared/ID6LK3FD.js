import {
  symmetricUnary
<<<<<<<< HEAD:server/tossup/server/web/pages/static/sdk/readable/shared/ID6LK3FD.js
} from "./4KNLOJAT.js";
import {
  numbers
} from "./QAYYS2D5.js";
========
} from "./RMMKLW2D.js";
import {
  numbers
} from "./U653YDH4.js";
>>>>>>>> 68f35788 (shared, web: let a number say its unit, signed and shown beside the field (#12)):server/tossup/server/web/pages/static/sdk/readable/shared/H53YBIDL.js

// src/mechanisms/symmetric-unary.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return symmetricUnary(answers, keep, lie);
};

export {
  fromSpec
};
<<<<<<<< HEAD:server/tossup/server/web/pages/static/sdk/readable/shared/ID6LK3FD.js
//# sourceMappingURL=ID6LK3FD.js.map
========
//# sourceMappingURL=H53YBIDL.js.map
>>>>>>>> 68f35788 (shared, web: let a number say its unit, signed and shown beside the field (#12)):server/tossup/server/web/pages/static/sdk/readable/shared/H53YBIDL.js
