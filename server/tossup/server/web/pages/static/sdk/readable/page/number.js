import {
  field,
  read
<<<<<<< HEAD
} from "../shared/5JNMMFQS.js";
import "../shared/VGGIYULG.js";
import "../shared/6CIFB27M.js";
=======
} from "../shared/AUBCQS6N.js";
import "../shared/P7DWNJ37.js";
import "../shared/556CFHNP.js";
>>>>>>> 6bcf1c49 (web: renew the browser SDK's files (#12))
export {
  field,
  read
};
//# sourceMappingURL=number.js.map
