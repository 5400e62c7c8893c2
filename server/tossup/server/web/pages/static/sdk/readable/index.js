import {
  Client,
  Refusal
} from "./shared/3SBK66FU.js";
export {
  Client,
  Refusal
};
//# sourceMappingURL=index.js.map
