import {
  checkAttributes,
  isDay,
  readKind,
  readMore
} from "./shared/YBMT4MXL.js";
import "./shared/IW6C537W.js";
export {
  checkAttributes,
  isDay,
  readKind,
  readMore
};
//# sourceMappingURL=offers.js.map
