import {
  checkAttributes,
  isDay,
  readKind,
  readMore
} from "./shared/7BZLBV7L.js";
import "./shared/26JJDGDP.js";
export {
  checkAttributes,
  isDay,
  readKind,
  readMore
};
//# sourceMappingURL=offers.js.map
