import {
  checkAttributes,
  isDay,
  readKind,
  readMore
} from "./shared/WULHJMCA.js";
import"./page/page.js";
export {
  checkAttributes,
  isDay,
  readKind,
  readMore
};
