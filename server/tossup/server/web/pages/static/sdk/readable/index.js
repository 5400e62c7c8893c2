import {
  Client,
  Refusal
} from "./shared/PRYFKI73.js";
export {
  Client,
  Refusal
};
//# sourceMappingURL=index.js.map
