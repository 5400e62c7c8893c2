/** An order of all options, by buttons or by dragging; no order is taken that nobody looked at. */

import { all, type Reader } from "./field.js";

export function field(fieldset: HTMLElement): Reader {
  const list = fieldset.querySelector("ol") as HTMLOListElement;
  const sure = all(fieldset, "[data-sure]")[0] as HTMLInputElement;
  let dragged: HTMLElement | undefined;

  const move = (item: HTMLElement, before: Element | null) => {
    list.insertBefore(item, before);
    sure.checked = true;
  };
  list.addEventListener("click", ({ target }) => {
    const button = (target as HTMLElement).closest<HTMLElement>("[data-move]");
    const item = button?.closest("li");
    if (!button || !item) return;
    const isUp = button.dataset["move"] === "-1";
    const neighbour = isUp ? item.previousElementSibling : item.nextElementSibling;
    if (neighbour) move(item, isUp ? neighbour : neighbour.nextElementSibling);
    button.focus();
  });
  const over = (event: { clientY: number; preventDefault(): void }) => {
    if (!dragged) return;
    event.preventDefault();
    const next = all<HTMLElement>(list, "li").find((item) => {
      const { top, height } = item.getBoundingClientRect();
      return item !== dragged && event.clientY < top + height / 2;
    });
    if (next !== dragged.nextElementSibling) move(dragged, next ?? null);
  };
  const take = (item: HTMLElement | null) => {
    if (dragged) delete dragged.dataset["dragged"];
    dragged = item ?? undefined;
    if (dragged) dragged.dataset["dragged"] = "";
  };
  const itemOf = (target: EventTarget | null) => (target as HTMLElement).closest<HTMLElement>("li");
  list.addEventListener("dragstart", ({ target, dataTransfer }) => {
    dataTransfer?.setData("text/plain", ""); // some browsers drag nothing else
    take(itemOf(target));
  });
  list.addEventListener("dragover", over);
  list.addEventListener("drop", (event) => event.preventDefault());
  list.addEventListener("dragend", () => take(null));
  // Fingers do not drag and drop; they move the item by its handle, and scroll the page elsewhere.
  list.addEventListener("touchstart", ({ target }) => {
    if ((target as HTMLElement).matches(".handle")) take(itemOf(target));
  }, { passive: true });
  list.addEventListener("touchmove", (event) => over({
    clientY: event.touches[0]?.clientY ?? 0,
    preventDefault: () => event.cancelable && event.preventDefault(),
  }), { passive: false });
  list.addEventListener("touchend", () => take(null));

  return () =>
    sure.checked ? { answer: all<HTMLElement>(list, "li").map((item) => item.dataset["option"]) } : { wrong: "sure" };
}
