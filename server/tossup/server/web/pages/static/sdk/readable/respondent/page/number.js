import {
  field,
  read
} from "../shared/267VPHF2.js";
import"../page/page.js";
export {
  field,
  read
};
