import {
  field,
  read
} from "../shared/4ZTKCTBB.js";
import "../shared/BSMZBZFH.js";
import "../shared/7KQQEI2G.js";
export {
  field,
  read
};
//# sourceMappingURL=number.js.map
