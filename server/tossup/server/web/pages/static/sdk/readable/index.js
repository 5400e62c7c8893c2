import {
  Client,
  Refusal
} from "./shared/7KQQEI2G.js";
export {
  Client,
  Refusal
};
//# sourceMappingURL=index.js.map
