import {
  Client,
  Refusal
} from "./shared/LCQSOCDK.js";
export {
  Client,
  Refusal
};
//# sourceMappingURL=index.js.map
