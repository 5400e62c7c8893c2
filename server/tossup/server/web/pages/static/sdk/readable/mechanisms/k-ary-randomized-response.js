import {
  fromSpec
} from "../shared/YXLZZU2O.js";
import "../shared/4KNLOJAT.js";
import "../shared/7UNATXEL.js";
import "../shared/RZ6CJKIU.js";
import "../shared/QAYYS2D5.js";
import "../shared/26JJDGDP.js";
export {
  fromSpec
};
//# sourceMappingURL=k-ary-randomized-response.js.map
