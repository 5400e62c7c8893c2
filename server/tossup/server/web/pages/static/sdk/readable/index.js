import {
  Client,
  Refusal
} from "./shared/I3RNZV6N.js";
export {
  Client,
  Refusal
};
//# sourceMappingURL=index.js.map
