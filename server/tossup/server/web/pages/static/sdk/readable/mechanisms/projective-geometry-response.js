import {
  fromSpec
} from "../shared/4I7BKJQA.js";
import "../shared/6VHJIDQC.js";
import "../shared/7UNATXEL.js";
import "../shared/RZ6CJKIU.js";
import "../shared/NTWOXCFD.js";
import "../shared/LZUHYOH2.js";
export {
  fromSpec
};
//# sourceMappingURL=projective-geometry-response.js.map
