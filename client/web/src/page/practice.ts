/** A practice coin, on a made-up answer. Nothing is sent, nothing is kept. */

export function practise(section: HTMLElement): void {
  const button = section.querySelector("button") as HTMLButtonElement;
  const said = section.querySelector("[role=status]") as HTMLElement;
  const coin = section.querySelector("img") as HTMLImageElement;
  const [bits = 0] = crypto.getRandomValues(new Uint8Array(1));
  const text = button.dataset[bits & 1 ? (bits & 2 ? "yes" : "no") : "truth"] as string;
  coin.classList.remove("turn");
  void coin.getBoundingClientRect(); // so that it turns again
  coin.classList.add("turn");
  said.textContent = "…";
  setTimeout(() => (said.textContent = text), matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 700);
}
