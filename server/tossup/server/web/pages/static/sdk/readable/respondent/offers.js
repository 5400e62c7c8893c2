import {
  checkAttributes,
  isDay,
  readKind,
  readMore
} from "./shared/OKRQSGRB.js";
import"./page/page.js";
export {
  checkAttributes,
  isDay,
  readKind,
  readMore
};
