import {
  Client,
  Refusal
} from "./shared/LZUHYOH2.js";
export {
  Client,
  Refusal
};
//# sourceMappingURL=index.js.map
