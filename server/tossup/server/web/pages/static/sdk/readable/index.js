import {
  Client,
  Refusal
} from "./shared/QSFGJONQ.js";
export {
  Client,
  Refusal
};
//# sourceMappingURL=index.js.map
