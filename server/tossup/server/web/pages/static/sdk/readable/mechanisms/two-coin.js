import {
  fromSpec
} from "../shared/BYIAO6SI.js";
export {
  fromSpec
};
//# sourceMappingURL=two-coin.js.map
