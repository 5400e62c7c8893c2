import {
  MAX_OPTIONS,
  blockMechanism
} from "./X5OIAOYN.js";
import {
  bitsFor
} from "./ILRTPO4M.js";
import {
  countOf,
  numbers
} from "./3YUBTFZ7.js";

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
