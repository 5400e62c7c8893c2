import {
  fromSpec
} from "../shared/ICNQYD6H.js";
import "../shared/S633ZBVW.js";
import "../shared/3SNUPGXL.js";
import "../shared/7KQQEI2G.js";
export {
  fromSpec
};
//# sourceMappingURL=local-hashing.js.map
