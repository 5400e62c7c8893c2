import {
  checkAttributes,
  isDay,
  readKind,
  readMore
} from "./shared/3UZNNO56.js";
import "./shared/OABLWO2B.js";
export {
  checkAttributes,
  isDay,
  readKind,
  readMore
};
//# sourceMappingURL=offers.js.map
