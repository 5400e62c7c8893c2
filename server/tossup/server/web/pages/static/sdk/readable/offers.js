import {
  checkAttributes,
  isDay,
  readKind,
  readMore
} from "./shared/QSIINFUS.js";
import "./shared/BJTFJTAA.js";
export {
  checkAttributes,
  isDay,
  readKind,
  readMore
};
//# sourceMappingURL=offers.js.map
