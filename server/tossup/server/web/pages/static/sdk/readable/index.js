import {
  Client,
  Refusal
} from "./shared/NDDG5PIC.js";
export {
  Client,
  Refusal
};
//# sourceMappingURL=index.js.map
