import {
  checkAttributes,
  isDay,
  readKind,
  readMore
} from "./shared/6OHLNAQM.js";
import"./page/page.js";
export {
  checkAttributes,
  isDay,
  readKind,
  readMore
};
