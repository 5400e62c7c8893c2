import {
  Client,
  Refusal
} from "./shared/6O6AZUJI.js";
export {
  Client,
  Refusal
};
//# sourceMappingURL=index.js.map
