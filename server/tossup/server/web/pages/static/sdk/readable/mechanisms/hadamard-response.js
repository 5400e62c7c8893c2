import {
  fromSpec
} from "../shared/32LZEYZ2.js";
import "../shared/S633ZBVW.js";
import "../shared/3SNUPGXL.js";
import "../shared/7KQQEI2G.js";
export {
  fromSpec
};
//# sourceMappingURL=hadamard-response.js.map
