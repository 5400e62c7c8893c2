import {
  fromSpec
} from "../shared/GUJ5OKNG.js";
import "../shared/JXF4OJH6.js";
import "../shared/M3P4WGVB.js";
import "../shared/ILRTPO4M.js";
import "../shared/5LWLKKI5.js";
import"../page/page.js";
export {
  fromSpec
};
