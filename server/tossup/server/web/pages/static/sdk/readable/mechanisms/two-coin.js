import {
  fromSpec
} from "../shared/PRYFKI73.js";
export {
  fromSpec
};
//# sourceMappingURL=two-coin.js.map
