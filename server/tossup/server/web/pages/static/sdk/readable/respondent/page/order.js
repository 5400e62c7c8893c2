import{all as all}from"../page/page.js";

// src/page/order.ts
function field(fieldset) {
  const list = fieldset.querySelector("ol");
  const sure = all(fieldset, "[data-sure]")[0];
  let dragged;
  const move = (item, before) => {
    list.insertBefore(item, before);
    sure.checked = true;
  };
  list.addEventListener("click", ({ target }) => {
    const button = target.closest("[data-move]");
    const item = button?.closest("li");
    if (!button || !item) return;
    const isUp = button.dataset["move"] === "-1";
    const neighbour = isUp ? item.previousElementSibling : item.nextElementSibling;
    if (neighbour) move(item, isUp ? neighbour : neighbour.nextElementSibling);
    button.focus();
  });
  const over = (event) => {
    if (!dragged) return;
    event.preventDefault();
    const next = all(list, "li").find((item) => {
      const { top, height } = item.getBoundingClientRect();
      return item !== dragged && event.clientY < top + height / 2;
    });
    if (next !== dragged.nextElementSibling) move(dragged, next ?? null);
  };
  const take = (item) => {
    if (dragged) delete dragged.dataset["dragged"];
    dragged = item ?? void 0;
    if (dragged) dragged.dataset["dragged"] = "";
  };
  const itemOf = (target) => target.closest("li");
  list.addEventListener("dragstart", ({ target, dataTransfer }) => {
    dataTransfer?.setData("text/plain", "");
    take(itemOf(target));
  });
  list.addEventListener("dragover", over);
  list.addEventListener("drop", (event) => event.preventDefault());
  list.addEventListener("dragend", () => take(null));
  list.addEventListener("touchstart", ({ target }) => {
    if (target.matches(".handle")) take(itemOf(target));
  }, { passive: true });
  list.addEventListener("touchmove", (event) => over({
    clientY: event.touches[0]?.clientY ?? 0,
    preventDefault: () => event.cancelable && event.preventDefault()
  }), { passive: false });
  list.addEventListener("touchend", () => take(null));
  return () => sure.checked ? { answer: all(list, "li").map((item) => item.dataset["option"]) } : { wrong: "sure" };
}
export {
  field
};
