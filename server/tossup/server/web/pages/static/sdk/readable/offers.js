import {
  checkAttributes,
  isDay,
  readKind,
  readMore
} from "./shared/XGH7AQCU.js";
import "./shared/PRYFKI73.js";
export {
  checkAttributes,
  isDay,
  readKind,
  readMore
};
//# sourceMappingURL=offers.js.map
