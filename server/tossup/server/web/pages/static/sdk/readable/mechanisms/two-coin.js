import {
  fromSpec
} from "../shared/LZUHYOH2.js";
export {
  fromSpec
};
//# sourceMappingURL=two-coin.js.map
