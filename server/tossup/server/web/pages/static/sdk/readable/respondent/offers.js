import {
  checkAttributes,
  isDay,
  readKind,
  readMore
} from "./shared/QTJYP474.js";
import"./page/page.js";
export {
  checkAttributes,
  isDay,
  readKind,
  readMore
};
