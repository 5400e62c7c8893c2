import {
  fromSpec
} from "../shared/KVE3KEFV.js";
import "../shared/UMDAXZOS.js";
import "../shared/7UNATXEL.js";
import "../shared/RZ6CJKIU.js";
import "../shared/EP62XFI6.js";
import "../shared/MBQPUHFF.js";
export {
  fromSpec
};
//# sourceMappingURL=optimized-unary.js.map
