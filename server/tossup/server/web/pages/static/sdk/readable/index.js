import {
  Client,
  Refusal
} from "./shared/WJSAXMDD.js";
export {
  Client,
  Refusal
};
//# sourceMappingURL=index.js.map
