import {
  Client,
  Refusal
} from "./shared/556CFHNP.js";
export {
  Client,
  Refusal
};
//# sourceMappingURL=index.js.map
