import {
  field,
  read
} from "../shared/S65UCTM3.js";
import"../page/page.js";
export {
  field,
  read
};
