import {
  checkAttributes,
  isDay,
  readKind,
  readMore
} from "./shared/RFZMJBEA.js";
import"./page/page.js";
export {
  checkAttributes,
  isDay,
  readKind,
  readMore
};
