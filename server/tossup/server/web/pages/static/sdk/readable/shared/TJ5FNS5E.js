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

// src/mechanisms/projective-geometry-response.ts
var fromSpec = (spec, answers) => {
  const [prime, keep, lie] = numbers(spec, "field keep lie");
  checkPrime(prime);
  const options = countOf(answers, 2, MAX_OPTIONS);
  const points = (length2) => (prime ** length2 - 1) / (prime - 1);
  let length = 2;
  while (points(length) < options) length++;
  const point = (number, size) => {
    let at = 0;
    while (at + 1 < size && points(at + 1) <= number) at++;
    return digits(number - points(at), prime, size).map((value, place) => value + Number(place === at));
  };
  const leading = (coordinates) => coordinates.reduce((found, value, place) => value ? place : found, 0);
  const inverse = (value) => {
    let found = 1;
    while (found * value % prime !== 1) found++;
    return found;
  };
  const numberOf = (coordinates) => {
    const at = leading(coordinates);
    const scale = inverse(coordinates[at]);
    return coordinates.slice(0, at).reduce((found, value, place) => found + value * scale % prime * prime ** place, points(at));
  };
  const completed = (option, coordinates, product) => {
    const target = point(option, length);
    const at = leading(target);
    const rest = dot(target.filter((_, place) => place !== at), coordinates, prime);
    return numberOf([...coordinates.slice(0, at), (product + prime - rest) % prime, ...coordinates.slice(at)]);
  };
  return blockMechanism("projective-geometry-response/1", answers, keep, lie, {
    reports: points(length),
    blockSize: points(length - 1),
    meetingSize: points(length - 2),
    member: (option, place) => completed(option, point(place, length - 1), 0),
    other: (option, place) => completed(option, digits(place, prime, length - 1), 1)
  });
};

export {
  fromSpec
};
//# sourceMappingURL=TJ5FNS5E.js.map
