import {
  field,
  read
} from "../shared/3TEM2YAL.js";
import "../shared/THX3N67A.js";
import "../shared/MAFBUSQS.js";
export {
  field,
  read
};
//# sourceMappingURL=number.js.map
