import {
  fromSpec
} from "../shared/E2L6FQ6G.js";
import "../shared/OBDUPNW4.js";
import "../shared/7UNATXEL.js";
import "../shared/RZ6CJKIU.js";
import "../shared/ZGTW6QBU.js";
import "../shared/QSFGJONQ.js";
export {
  fromSpec
};
//# sourceMappingURL=local-hashing.js.map
