import {
  fromSpec
} from "../shared/IVIPZ7LM.js";
import "../shared/UMDAXZOS.js";
import "../shared/7UNATXEL.js";
import "../shared/RZ6CJKIU.js";
import "../shared/EP62XFI6.js";
import "../shared/MBQPUHFF.js";
export {
  fromSpec
};
//# sourceMappingURL=local-hashing.js.map
