import {
  checkAttributes,
  isDay,
  readKind,
  readMore
} from "./shared/CDUINYKX.js";
import"./page/page.js";
export {
  checkAttributes,
  isDay,
  readKind,
  readMore
};
