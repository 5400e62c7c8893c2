import {
  field,
  read
} from "../shared/5JNMMFQS.js";
import "../shared/VGGIYULG.js";
import "../shared/6CIFB27M.js";
export {
  field,
  read
};
//# sourceMappingURL=number.js.map
