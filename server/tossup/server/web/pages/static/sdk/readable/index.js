import {
  Client,
  Refusal
} from "./shared/BJTFJTAA.js";
export {
  Client,
  Refusal
};
//# sourceMappingURL=index.js.map
