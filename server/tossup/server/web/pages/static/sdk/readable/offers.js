import {
  checkAttributes,
  isDay,
  readKind,
  readMore
} from "./shared/OBGJHML2.js";
import "./shared/6O6AZUJI.js";
export {
  checkAttributes,
  isDay,
  readKind,
  readMore
};
//# sourceMappingURL=offers.js.map
