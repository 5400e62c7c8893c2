/** Several options, of which at most so many may be ticked; none of them is an answer, too. */

import { all, MISSING, type Reader } from "./field.js";

export function field(fieldset: HTMLElement): Reader {
  const boxes = all(fieldset, "input");
  const most = Number(fieldset.dataset["most"]);
  fieldset.addEventListener("change", ({ target }) => {
    const box = target as HTMLInputElement;
    // "None of these" and an option exclude each other; so does not answering.
    if (box.checked) for (const other of boxes) if (other !== box && !(other.value && box.value)) other.checked = false;
  });
  return () => {
    const ticked = boxes.filter((box) => box.checked);
    const answer = ticked.map((box) => box.value).filter(Boolean);
    return !ticked.length ? MISSING : answer.length > most ? { wrong: "most" } : { answer };
  };
}
