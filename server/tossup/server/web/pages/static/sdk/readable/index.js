import {
  Client,
  Refusal
} from "./shared/5BMRU7X6.js";
export {
  Client,
  Refusal
};
//# sourceMappingURL=index.js.map
