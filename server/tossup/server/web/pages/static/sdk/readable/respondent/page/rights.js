import{all as all,boxed as boxed,flush as flush,standing as standing}from"../page/page.js";

// src/rights.ts
function withdraw(device, state) {
  for (const report of boxed(device, state)) {
    if (report.attempted) Object.assign(report, { state: "withdrawing", code: "", body: "" });
    else state.outbox.splice(state.outbox.indexOf(report), 1);
  }
  forgetMemory(device, state);
  Object.assign(standing(device, state), { consent: false, retryAt: 0, delay: 0 });
}
function forget(device, state) {
  const { publisher, survey } = device.link;
  for (const report of boxed(device, state)) state.outbox.splice(state.outbox.indexOf(report), 1);
  forgetMemory(device, state);
  delete state.surveys[`${publisher}/${survey}`];
  state.ledger.forEach((entry, place) => {
    if (entry.publisher === publisher && entry.survey === survey) state.ledger[place] = { ...entry, survey: "" };
  });
}
function forgetMemory({ link }, state) {
  state.memory = state.memory.filter((kept) => kept.publisher !== link.publisher || kept.survey !== link.survey);
}

// src/page/rights.ts
function offer(device, folds) {
  const [withdrawing, forgetting] = all(folds, "button");
  on(withdrawing, async () => {
    await device.store.transact((state) => withdraw(device, state));
    return (await flush(device, true)).reason ? "kept" : "said";
  });
  on(forgetting, async () => {
    await device.store.transact((state) => forget(device, state));
    return "said";
  });
}
function on(button, work) {
  const status = button?.closest("details")?.querySelector("[role=status]");
  if (!button || !status) return;
  button.disabled = false;
  button.addEventListener("click", async () => {
    button.disabled = true;
    const done = await work().catch(() => "failed");
    status.textContent = status.dataset[done] ?? "";
    button.disabled = done === "failed";
  });
}
export {
  offer
};
