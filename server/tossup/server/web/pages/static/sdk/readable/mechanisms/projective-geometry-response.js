import {
  fromSpec
} from "../shared/TJ5FNS5E.js";
import "../shared/OBDUPNW4.js";
import "../shared/7UNATXEL.js";
import "../shared/RZ6CJKIU.js";
import "../shared/ZGTW6QBU.js";
import "../shared/QSFGJONQ.js";
export {
  fromSpec
};
//# sourceMappingURL=projective-geometry-response.js.map
