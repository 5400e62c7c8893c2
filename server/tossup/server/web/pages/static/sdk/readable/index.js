import {
  Client,
  Refusal
} from "./shared/MBQPUHFF.js";
export {
  Client,
  Refusal
};
//# sourceMappingURL=index.js.map
