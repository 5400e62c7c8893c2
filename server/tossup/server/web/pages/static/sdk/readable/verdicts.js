import {
  codeOf,
  requeue,
  settle
} from "./shared/VQ2H73CM.js";
import "./shared/I3RNZV6N.js";
export {
  codeOf,
  requeue,
  settle
};
//# sourceMappingURL=verdicts.js.map
