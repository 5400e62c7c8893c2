import {
  fromSpec
} from "../shared/QSFGJONQ.js";
export {
  fromSpec
};
//# sourceMappingURL=two-coin.js.map
