import {
  fromSpec
} from "../shared/MAXMKKAM.js";
import "../shared/4KNLOJAT.js";
import "../shared/7UNATXEL.js";
import "../shared/RZ6CJKIU.js";
import "../shared/QAYYS2D5.js";
import "../shared/26JJDGDP.js";
export {
  fromSpec
};
//# sourceMappingURL=local-hashing.js.map
