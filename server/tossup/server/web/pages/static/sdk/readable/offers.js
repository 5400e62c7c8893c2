import {
  checkAttributes,
  isDay,
  readKind,
  readMore
} from "./shared/7OK3ILTU.js";
import "./shared/MBQPUHFF.js";
export {
  checkAttributes,
  isDay,
  readKind,
  readMore
};
//# sourceMappingURL=offers.js.map
