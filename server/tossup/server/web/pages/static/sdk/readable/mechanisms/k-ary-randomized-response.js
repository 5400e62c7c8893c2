import {
  fromSpec
} from "../shared/XERBYYKR.js";
import "../shared/6VHJIDQC.js";
import "../shared/7UNATXEL.js";
import "../shared/RZ6CJKIU.js";
import "../shared/NTWOXCFD.js";
import "../shared/LZUHYOH2.js";
export {
  fromSpec
};
//# sourceMappingURL=k-ary-randomized-response.js.map
