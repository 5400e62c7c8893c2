import {
  codeOf,
  requeue,
  settle
} from "./shared/NYQV6CPV.js";
import "./shared/NDDG5PIC.js";
export {
  codeOf,
  requeue,
  settle
};
//# sourceMappingURL=verdicts.js.map
