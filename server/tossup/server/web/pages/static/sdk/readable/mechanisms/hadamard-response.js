import {
  fromSpec
} from "../shared/TXXKT7JG.js";
import "../shared/6VHJIDQC.js";
import "../shared/7UNATXEL.js";
import "../shared/RZ6CJKIU.js";
import "../shared/NTWOXCFD.js";
import "../shared/LZUHYOH2.js";
export {
  fromSpec
};
//# sourceMappingURL=hadamard-response.js.map
