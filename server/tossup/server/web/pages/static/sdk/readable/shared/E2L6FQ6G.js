import {
  MAX_OPTIONS,
  blockMechanism,
  checkPrime,
  digits,
  dot
} from "./OBDUPNW4.js";
import {
  countOf,
  numbers
} from "./ZGTW6QBU.js";

// src/mechanisms/local-hashing.ts
var fromSpec = (spec, answers) => {
  const [field, keep, lie] = numbers(spec, "field keep lie");
  checkPrime(field);
  const options = countOf(answers, 2, MAX_OPTIONS);
  let length = 1;
  while (field ** length < options) length++;
  const hash = (hashing, option) => dot(digits(hashing, field, length), digits(option, field, length), field);
  return blockMechanism("local-hashing/1", answers, keep, lie, {
    reports: field ** (length + 1),
    blockSize: field ** length,
    meetingSize: field ** (length - 1),
    member: (option, place) => place * field + hash(place, option),
    other(option, place) {
      const hashing = Math.floor(place / (field - 1));
      return hashing * field + (hash(hashing, option) + 1 + place % (field - 1)) % field;
    }
  });
};

export {
  fromSpec
};
//# sourceMappingURL=E2L6FQ6G.js.map
