import {
  codeOf,
  requeue,
  settle
} from "./shared/PEPTLLKM.js";
import "./shared/BNY7G5GE.js";
export {
  codeOf,
  requeue,
  settle
};
//# sourceMappingURL=verdicts.js.map
