import {
  Client,
  Refusal
} from "./shared/BNY7G5GE.js";
export {
  Client,
  Refusal
};
//# sourceMappingURL=index.js.map
