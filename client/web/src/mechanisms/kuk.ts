/** Kuk's cards, for yes or no: how many of the cards drawn from the answer's deck are red. */

import { check, checkKeys, checkTotal, list, whole } from "../sampling/spec.js";
import { checkTable, drawn, sum } from "../sampling/tables.js";
import { binomial, greatestDivisor } from "../sampling/whole.js";
import type { MechanismModule } from "./base.js";

export const fromSpec: MechanismModule["fromSpec"] = (spec) => {
  checkKeys(spec, "cards decks");
  const cards = whole(spec["cards"], "cards", 2, 16);
  const given = spec["decks"];
  check(Array.isArray(given) && given.length === 2, "two decks");
  const decks = given.map((deck) => list(deck, "decks", 2, 2));
  checkTable(decks);
  check(greatestDivisor(decks.flat().map(BigInt)) === 1n, "decks in lowest terms");
  checkTotal(sum(decks[0] as number[]) ** cards);
  const table = decks.map((deck) => {
    const [black, red] = deck as [number, number];
    return Array.from({ length: cards + 1 }, (_, at) => Number(binomial(cards, at)) * black ** (cards - at) * red ** at);
  });
  return drawn("kuk/1", "choice", table);
};
