import {
  fromSpec
} from "../shared/6O6AZUJI.js";
export {
  fromSpec
};
//# sourceMappingURL=two-coin.js.map
