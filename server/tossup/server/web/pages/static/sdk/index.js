<<<<<<< HEAD
import{D as t,b as e}from"./shared/D44IJOGY.js";export{t as Client,e as Refusal};
=======
import{H as t,e}from"./shared/2DEBMJG4.js";export{t as Client,e as Refusal};
>>>>>>> cc458540 (web: build with all mechanisms; hold vectors, channels, refusals and sizes of the browser's by tests (#12))
//# sourceMappingURL=index.js.map
