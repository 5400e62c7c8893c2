import {
  factorial
} from "../shared/TDJWXKJO.js";
import {
  check
} from "../shared/ZGTW6QBU.js";
import {
  hasKeys
} from "../shared/QSFGJONQ.js";

// src/kinds/ranking.ts
var fromJson = (value, options) => {
  check(hasKeys(value, "of") && value["of"] === "all", "ranking of all");
  const count = options.length;
  check(count >= 2 && count <= 10, "2 to 10 options");
  return {
    kind: "ranking",
    answers: BigInt(factorial(count)),
    options,
    fits: (mechanism) => mechanism.answerKind === "ranking",
    place(answer) {
      if (!Array.isArray(answer) || answer.length !== count) return void 0;
      const order = answer.map((option) => options.indexOf(option));
      if (order.includes(-1) || new Set(order).size < count) return void 0;
      return BigInt(
        order.reduce((index, option, place) => {
          const smaller = order.slice(place + 1).filter((other) => other < option).length;
          return index * (count - place) + smaller;
        }, 0)
      );
    },
    index: (place) => place
  };
};
export {
  fromJson
};
//# sourceMappingURL=ranking.js.map
