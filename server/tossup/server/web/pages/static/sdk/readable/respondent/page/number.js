import {
  field,
  read
} from "../shared/3V5PHEMY.js";
import"../page/page.js";
export {
  field,
  read
};
