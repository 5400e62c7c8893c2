import {
  checkAttributes,
  isDay,
  readKind,
  readMore
} from "./shared/BXKISRKB.js";
import "./shared/BYIAO6SI.js";
export {
  checkAttributes,
  isDay,
  readKind,
  readMore
};
//# sourceMappingURL=offers.js.map
