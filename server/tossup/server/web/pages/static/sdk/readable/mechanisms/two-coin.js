import {
  fromSpec
} from "../shared/BJTFJTAA.js";
export {
  fromSpec
};
//# sourceMappingURL=two-coin.js.map
