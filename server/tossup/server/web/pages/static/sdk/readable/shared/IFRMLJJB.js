import {
  MAX_OPTIONS,
  blockMechanism
} from "./OBDUPNW4.js";
import {
  bitsFor
} from "./RZ6CJKIU.js";
import {
  countOf,
  numbers
} from "./ZGTW6QBU.js";

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
//# sourceMappingURL=IFRMLJJB.js.map
