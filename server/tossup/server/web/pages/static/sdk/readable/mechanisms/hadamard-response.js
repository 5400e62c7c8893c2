import {
  fromSpec
} from "../shared/HVUSXBTC.js";
import "../shared/UMDAXZOS.js";
import "../shared/7UNATXEL.js";
import "../shared/RZ6CJKIU.js";
import "../shared/EP62XFI6.js";
import "../shared/MBQPUHFF.js";
export {
  fromSpec
};
//# sourceMappingURL=hadamard-response.js.map
