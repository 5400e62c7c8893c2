import {
  checkAttributes,
  isDay,
  readKind,
  readMore
} from "./shared/CQK56T6N.js";
import"./page/page.js";
export {
  checkAttributes,
  isDay,
  readKind,
  readMore
};
