import {
  Client,
  Refusal
} from "./shared/MAFBUSQS.js";
export {
  Client,
  Refusal
};
//# sourceMappingURL=index.js.map
