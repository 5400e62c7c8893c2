import {
  checkAttributes,
  isDay,
  readKind,
  readMore
} from "./shared/UM5KZMSA.js";
import "./shared/3SBK66FU.js";
export {
  checkAttributes,
  isDay,
  readKind,
  readMore
};
//# sourceMappingURL=offers.js.map
