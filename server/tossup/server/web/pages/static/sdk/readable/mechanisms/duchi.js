import {
  ends
} from "../shared/P7ZKYTDG.js";
import "../shared/TDJWXKJO.js";
import "../shared/WPQLKJWZ.js";
import {
  numbers
} from "../shared/ZGTW6QBU.js";
import "../shared/QSFGJONQ.js";

// src/mechanisms/duchi.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return ends("duchi/1", answers, keep, lie);
};
export {
  fromSpec
};
//# sourceMappingURL=duchi.js.map
