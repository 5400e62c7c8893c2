import {
  fromSpec
} from "../shared/IW6C537W.js";
export {
  fromSpec
};
//# sourceMappingURL=two-coin.js.map
