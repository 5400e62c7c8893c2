import {
  Coins,
  bitsFor,
  bytesFor
} from "./shared/ILRTPO4M.js";
import"./page/page.js";
export {
  Coins,
  bitsFor,
  bytesFor
};
