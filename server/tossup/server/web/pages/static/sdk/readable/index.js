import {
  Client,
  Refusal
} from "./shared/OABLWO2B.js";
export {
  Client,
  Refusal
};
//# sourceMappingURL=index.js.map
