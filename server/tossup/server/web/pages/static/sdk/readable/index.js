import {
  Client,
  Refusal
} from "./shared/26JJDGDP.js";
export {
  Client,
  Refusal
};
//# sourceMappingURL=index.js.map
