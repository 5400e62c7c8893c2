/** Projective geometry response: points of a projective space that are orthogonal to the option's. */

import { blockMechanism, checkPrime, digits, dot, MAX_OPTIONS } from "../sampling/options.js";
import { countOf, numbers } from "../sampling/spec.js";
import type { MechanismModule } from "./base.js";

export const fromSpec: MechanismModule["fromSpec"] = (spec, answers) => {
  const [prime, keep, lie] = numbers(spec, "field keep lie") as [number, number, number];
  checkPrime(prime);
  const options = countOf(answers, 2, MAX_OPTIONS);
  /** Return how many points a space of so many coordinates has. */
  const points = (length: number): number => (prime ** length - 1) / (prime - 1);
  let length = 2;
  while (points(length) < options) length++;
  /** Return the coordinates of a point: its last one that is not 0 is 1. */
  const point = (number: number, size: number): number[] => {
    let at = 0;
    while (at + 1 < size && points(at + 1) <= number) at++;
    return digits(number - points(at), prime, size).map((value, place) => value + Number(place === at));
  };
  const leading = (coordinates: readonly number[]): number => coordinates.reduce((found, value, place) => (value ? place : found), 0);
  const inverse = (value: number): number => {
    let found = 1;
    while ((found * value) % prime !== 1) found++;
    return found;
  };
  const numberOf = (coordinates: readonly number[]): number => {
    const at = leading(coordinates);
    const scale = inverse(coordinates[at] as number);
    return coordinates.slice(0, at).reduce((found, value, place) => found + ((value * scale) % prime) * prime ** place, points(at));
  };
  /** Return the point that has these coordinates but one, and this inner product with the option's. */
  const completed = (option: number, coordinates: readonly number[], product: number): number => {
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
    other: (option, place) => completed(option, digits(place, prime, length - 1), 1),
  });
};
