import {
  MAX_OPTIONS,
  blockMechanism
<<<<<<<< HEAD:server/tossup/server/web/pages/static/sdk/readable/shared/YV63WYAO.js
} from "./4KNLOJAT.js";
========
} from "./RMMKLW2D.js";
>>>>>>>> 68f35788 (shared, web: let a number say its unit, signed and shown beside the field (#12)):server/tossup/server/web/pages/static/sdk/readable/shared/UT3ASZVZ.js
import {
  bitsFor
} from "./RZ6CJKIU.js";
import {
  countOf,
  numbers
<<<<<<<< HEAD:server/tossup/server/web/pages/static/sdk/readable/shared/YV63WYAO.js
} from "./QAYYS2D5.js";
========
} from "./U653YDH4.js";
>>>>>>>> 68f35788 (shared, web: let a number say its unit, signed and shown beside the field (#12)):server/tossup/server/web/pages/static/sdk/readable/shared/UT3ASZVZ.js

// src/mechanisms/hadamard-response.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  const reports = 2 ** bitsFor(countOf(answers, 2, MAX_OPTIONS) + 1);
  return blockMechanism("hadamard-response/1", answers, keep, lie, {
    reports,
    blockSize: reports / 2,
    meetingSize: reports / 4,
    member: (option, place) => withParity(option + 1, place, 0),
    other: (option, place) => withParity(option + 1, place, 1)
  });
};
function parity(row, place) {
  let left = row & place;
  for (let shift = 16; shift; shift >>= 1) left ^= left >> shift;
  return left & 1;
}
function withParity(row, place, wanted) {
  const low = row & -row;
  const spread = place + (place & -low);
  return spread | low * (parity(row, spread) ^ wanted);
}

export {
  fromSpec
};
<<<<<<<< HEAD:server/tossup/server/web/pages/static/sdk/readable/shared/YV63WYAO.js
//# sourceMappingURL=YV63WYAO.js.map
========
//# sourceMappingURL=UT3ASZVZ.js.map
>>>>>>>> 68f35788 (shared, web: let a number say its unit, signed and shown beside the field (#12)):server/tossup/server/web/pages/static/sdk/readable/shared/UT3ASZVZ.js
