import{MISSING as MISSING,all as all}from"../page/page.js";

// src/page/ticks.ts
function field(fieldset) {
  const boxes = all(fieldset, "input");
  const most = Number(fieldset.dataset["most"]);
  fieldset.addEventListener("change", ({ target }) => {
    const box = target;
    if (box.checked) {
      for (const other of boxes) if (other !== box && !(other.value && box.value)) other.checked = false;
    }
  });
  return () => {
    const ticked = boxes.filter((box) => box.checked);
    const answer = ticked.map((box) => box.value).filter(Boolean);
    return !ticked.length ? MISSING : answer.length > most ? { wrong: "most" } : { answer };
  };
}
export {
  field
};
