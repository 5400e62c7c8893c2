import {
  fromSpec
} from "../shared/26JJDGDP.js";
export {
  fromSpec
};
//# sourceMappingURL=two-coin.js.map
