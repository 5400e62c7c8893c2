import {
  fromSpec
} from "../shared/3SBK66FU.js";
export {
  fromSpec
};
//# sourceMappingURL=two-coin.js.map
