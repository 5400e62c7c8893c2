import {
  binomial,
  greatestDivisor
} from "../shared/TDJWXKJO.js";
import {
  checkTable,
  drawn,
  sum
} from "../shared/WPQLKJWZ.js";
import {
  check,
  checkKeys,
  checkTotal,
  list,
  whole
} from "../shared/ZGTW6QBU.js";
import "../shared/QSFGJONQ.js";

// src/mechanisms/kuk.ts
var fromSpec = (spec) => {
  checkKeys(spec, "cards decks");
  const cards = whole(spec["cards"], "cards", 2, 16);
  const given = spec["decks"];
  check(Array.isArray(given) && given.length === 2, "two decks");
  const decks = given.map((deck) => list(deck, "decks", 2, 2));
  checkTable(decks);
  check(greatestDivisor(decks.flat().map(BigInt)) === 1n, "decks in lowest terms");
  checkTotal(sum(decks[0]) ** cards);
  const table = decks.map((deck) => {
    const [black, red] = deck;
    return Array.from({ length: cards + 1 }, (_, at) => Number(binomial(cards, at)) * black ** (cards - at) * red ** at);
  });
  return drawn("kuk/1", "choice", table);
};
export {
  fromSpec
};
//# sourceMappingURL=kuk.js.map
