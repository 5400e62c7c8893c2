import {
  fromSpec
} from "../shared/XSIJZLKC.js";
import "../shared/S633ZBVW.js";
import "../shared/3SNUPGXL.js";
import "../shared/7KQQEI2G.js";
export {
  fromSpec
};
//# sourceMappingURL=k-ary-randomized-response.js.map
