import {
  Client,
  Refusal
<<<<<<< HEAD
} from "./shared/MAFBUSQS.js";
=======
} from "./shared/DOIPVP3Z.js";
>>>>>>> cc458540 (web: build with all mechanisms; hold vectors, channels, refusals and sizes of the browser's by tests (#12))
export {
  Client,
  Refusal
};
//# sourceMappingURL=index.js.map
