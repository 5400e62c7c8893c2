import {
  isDay,
  readKind,
  readMore
} from "./shared/6MZAXLZK.js";
import "./shared/5BMRU7X6.js";
export {
  isDay,
  readKind,
  readMore
};
//# sourceMappingURL=offers.js.map
