import {
  field,
  read
} from "../shared/GE3Q2ESJ.js";
import"../page/page.js";
export {
  field,
  read
};
