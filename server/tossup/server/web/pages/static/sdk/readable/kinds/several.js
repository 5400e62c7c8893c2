import {
  check,
  whole
} from "../shared/ZGTW6QBU.js";
import {
  hasKeys
} from "../shared/QSFGJONQ.js";

// src/kinds/several.ts
var fromJson = (value, options) => {
  check(hasKeys(value, "most"), "several");
  const [count, most] = [options.length, whole(value["most"], "most", 1, options.length)];
  check(count <= 64, "1 to 64 options");
  return {
    kind: "several",
    answers: 1n << BigInt(count),
    options,
    fits: (mechanism) => mechanism.answerKind === "several" && !!mechanism.isFor?.(count, most),
    place(answer) {
      if (!(Array.isArray(answer) || answer instanceof Set)) return void 0;
      const places = [...answer].map((option) => options.indexOf(option));
      if (places.includes(-1) || new Set(places).size < places.length || places.length > most) return void 0;
      return places.reduce((mask, place) => mask | 1n << BigInt(place), 0n);
    },
    index: (place) => place
  };
};
export {
  fromJson
};
//# sourceMappingURL=several.js.map
