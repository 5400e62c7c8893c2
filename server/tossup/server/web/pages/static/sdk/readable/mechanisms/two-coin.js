import {
  fromSpec
} from "../shared/MBQPUHFF.js";
export {
  fromSpec
};
//# sourceMappingURL=two-coin.js.map
