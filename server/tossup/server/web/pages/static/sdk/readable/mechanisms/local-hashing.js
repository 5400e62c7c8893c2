import {
  fromSpec
} from "../shared/QMHNADPS.js";
import "../shared/UXETR2PM.js";
import "../shared/7UNATXEL.js";
import "../shared/RZ6CJKIU.js";
import "../shared/QF2AWJEN.js";
import "../shared/5BMRU7X6.js";
export {
  fromSpec
};
//# sourceMappingURL=local-hashing.js.map
