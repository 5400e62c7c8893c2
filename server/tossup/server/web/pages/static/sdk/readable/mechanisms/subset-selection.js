import {
  fromSpec
} from "../shared/C7VHZ2HK.js";
import "../shared/S633ZBVW.js";
import "../shared/3SNUPGXL.js";
import "../shared/7KQQEI2G.js";
export {
  fromSpec
};
//# sourceMappingURL=subset-selection.js.map
