import {
  checkAttributes,
  isDay,
  readKind,
  readMore
} from "./shared/YTVTHWQJ.js";
import"./page/page.js";
export {
  checkAttributes,
  isDay,
  readKind,
  readMore
};
