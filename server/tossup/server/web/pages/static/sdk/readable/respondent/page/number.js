import {
  field,
  read
} from "../shared/6OIGVACL.js";
import"../page/page.js";
export {
  field,
  read
};
