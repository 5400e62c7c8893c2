import {
  checkAttributes,
  isDay,
  readKind,
  readMore
} from "./shared/6Y7PWUG7.js";
import"./page/page.js";
export {
  checkAttributes,
  isDay,
  readKind,
  readMore
};
