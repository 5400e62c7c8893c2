import {
  isDay,
  readKind,
  readMore
} from "./shared/SYBJFGY3.js";
import"./page/page.js";
export {
  isDay,
  readKind,
  readMore
};
