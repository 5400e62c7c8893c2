import {
  fromSpec
} from "../shared/IP2JWIW3.js";
import "../shared/P44434JT.js";
import "../shared/7UNATXEL.js";
import "../shared/RZ6CJKIU.js";
import "../shared/DZ5T3PNP.js";
import "../shared/OABLWO2B.js";
export {
  fromSpec
};
//# sourceMappingURL=symmetric-unary.js.map
