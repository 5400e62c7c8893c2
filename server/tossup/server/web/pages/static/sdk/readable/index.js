import {
  Client,
  Refusal
} from "./shared/BYIAO6SI.js";
export {
  Client,
  Refusal
};
//# sourceMappingURL=index.js.map
