import {
  Client,
  Refusal
} from "./shared/IW6C537W.js";
export {
  Client,
  Refusal
};
//# sourceMappingURL=index.js.map
