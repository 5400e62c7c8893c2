import {
  fromSpec
} from "../shared/OABLWO2B.js";
export {
  fromSpec
};
//# sourceMappingURL=two-coin.js.map
