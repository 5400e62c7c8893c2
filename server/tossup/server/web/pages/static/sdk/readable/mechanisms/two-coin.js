import {
  fromSpec
} from "../shared/5BMRU7X6.js";
export {
  fromSpec
};
//# sourceMappingURL=two-coin.js.map
