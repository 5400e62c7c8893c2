import {
  fromSpec
} from "../shared/IPTVVGXQ.js";
import "../shared/CWXXOCOX.js";
import "../shared/7UNATXEL.js";
import "../shared/RZ6CJKIU.js";
import "../shared/BL6JMQTK.js";
import "../shared/PRYFKI73.js";
export {
  fromSpec
};
//# sourceMappingURL=symmetric-unary.js.map
