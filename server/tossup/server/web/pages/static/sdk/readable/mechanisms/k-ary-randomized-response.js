import {
  fromSpec
} from "../shared/C2KY2W7D.js";
import "../shared/OBDUPNW4.js";
import "../shared/7UNATXEL.js";
import "../shared/RZ6CJKIU.js";
import "../shared/ZGTW6QBU.js";
import "../shared/QSFGJONQ.js";
export {
  fromSpec
};
//# sourceMappingURL=k-ary-randomized-response.js.map
