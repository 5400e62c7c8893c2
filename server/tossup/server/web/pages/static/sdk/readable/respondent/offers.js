import {
  checkAttributes,
  isDay,
  readKind,
  readMore
} from "./shared/6M7QDR53.js";
import"./page/page.js";
export {
  checkAttributes,
  isDay,
  readKind,
  readMore
};
