import {
  Client,
  Refusal
} from "./shared/6CIFB27M.js";
export {
  Client,
  Refusal
};
//# sourceMappingURL=index.js.map
