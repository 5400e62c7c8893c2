import {
  checkAttributes,
  isDay,
  readKind,
  readMore
} from "./shared/JBRZMVL3.js";
import"./page/page.js";
export {
  checkAttributes,
  isDay,
  readKind,
  readMore
};
