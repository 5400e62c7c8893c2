import {
  isDay,
  readKind,
  readMore
} from "./shared/VVO7BGGD.js";
import "./shared/QSFGJONQ.js";
export {
  isDay,
  readKind,
  readMore
};
//# sourceMappingURL=offers.js.map
