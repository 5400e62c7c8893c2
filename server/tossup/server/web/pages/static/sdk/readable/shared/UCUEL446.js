import {
  check,
  whole
<<<<<<<< HEAD:server/tossup/server/web/pages/static/sdk/readable/shared/UCUEL446.js
} from "./QAYYS2D5.js";
import {
  ratio
} from "./26JJDGDP.js";
========
} from "./U653YDH4.js";
import {
  ratio
} from "./LUZYX4MR.js";
>>>>>>>> 68f35788 (shared, web: let a number say its unit, signed and shown beside the field (#12)):server/tossup/server/web/pages/static/sdk/readable/shared/UJDR3NOE.js

// src/sampling/sets.ts
function setMechanism(answers, most) {
  const options = answers.toString(2).length - 1;
  check(options >= 1 && options <= 64 && answers === 1n << BigInt(options), "1 to 64 options");
  whole(most, "most", 1, options);
  return {
    options,
    answerKind: "several",
    answers,
    isFor: (count, ticked) => count === options && ticked === most
  };
}
var ticks = (q, p) => () => ({
  sentence: "ticks",
  chances: [q, p].map((rate) => [ratio(rate.d - rate.n, rate.d), rate]),
  namesSeveral: true
});

export {
  setMechanism,
  ticks
};
<<<<<<<< HEAD:server/tossup/server/web/pages/static/sdk/readable/shared/UCUEL446.js
//# sourceMappingURL=UCUEL446.js.map
========
//# sourceMappingURL=UJDR3NOE.js.map
>>>>>>>> 68f35788 (shared, web: let a number say its unit, signed and shown beside the field (#12)):server/tossup/server/web/pages/static/sdk/readable/shared/UJDR3NOE.js
