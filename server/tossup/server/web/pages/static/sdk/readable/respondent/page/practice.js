import"../page/page.js";

// src/page/practice.ts
function practise(section) {
  const button = section.querySelector("button");
  const said = section.querySelector("[role=status]");
  const coin = section.querySelector("img");
  const [bits = 0] = crypto.getRandomValues(new Uint8Array(1));
  const text = button.dataset[bits & 1 ? bits & 2 ? "yes" : "no" : "truth"];
  coin.classList.remove("turn");
  void coin.getBoundingClientRect();
  coin.classList.add("turn");
  said.textContent = "…";
  setTimeout(() => said.textContent = text, matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 700);
}
export {
  practise
};
