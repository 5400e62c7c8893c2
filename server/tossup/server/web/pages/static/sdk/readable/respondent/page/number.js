import {
  field,
  read
} from "../shared/EU7322ZE.js";
import"../page/page.js";
export {
  field,
  read
};
