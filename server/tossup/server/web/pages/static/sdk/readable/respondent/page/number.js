import {
  field,
  read
} from "../shared/6G5527HT.js";
import"../page/page.js";
export {
  field,
  read
};
