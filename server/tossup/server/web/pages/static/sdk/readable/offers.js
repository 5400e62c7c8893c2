import {
  checkAttributes,
  isDay,
  readKind,
  readMore
} from "./shared/5QY6EUUX.js";
import "./shared/LZUHYOH2.js";
export {
  checkAttributes,
  isDay,
  readKind,
  readMore
};
//# sourceMappingURL=offers.js.map
