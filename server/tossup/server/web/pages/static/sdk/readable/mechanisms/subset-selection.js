import {
  fromSpec
} from "../shared/E2RO7E7Y.js";
import "../shared/P44434JT.js";
import "../shared/7UNATXEL.js";
import "../shared/RZ6CJKIU.js";
import "../shared/DZ5T3PNP.js";
import "../shared/OABLWO2B.js";
export {
  fromSpec
};
//# sourceMappingURL=subset-selection.js.map
