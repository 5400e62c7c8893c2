import {
  isDay,
  readKind,
  readMore
} from "./shared/SCA35UNQ.js";
import"./page/page.js";
export {
  isDay,
  readKind,
  readMore
};
