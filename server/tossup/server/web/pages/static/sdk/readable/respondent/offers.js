import {
  checkAttributes,
  isDay,
  readKind,
  readMore
} from "./shared/LWCTTFCV.js";
import"./page/page.js";
export {
  checkAttributes,
  isDay,
  readKind,
  readMore
};
