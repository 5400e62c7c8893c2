import {
  checkAttributes,
  isDay,
  readKind,
  readMore
} from "./shared/FS2KHNMD.js";
import"../page/page.js";
export {
  checkAttributes,
  isDay,
  readKind,
  readMore
};
