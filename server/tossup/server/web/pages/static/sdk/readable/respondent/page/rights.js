import{all as all,flush as flush,isOf as isOf,standing as standing}from"../page/page.js";

// src/rights.ts
function withdraw(device, state) {
  for (const report of state.outbox.filter(isOf(device))) {
    if (report.attempted) Object.assign(report, { state: "withdrawing", code: "", body: "" });
    else state.outbox.splice(state.outbox.indexOf(report), 1);
  }
  state.memory = notOf(device, state.memory);
  Object.assign(standing(device, state), { consent: false, retryAt: 0, delay: 0 });
}
function forget(device, state) {
  state.outbox = notOf(device, state.outbox);
  state.memory = notOf(device, state.memory);
  state.surveys = notOf(device, state.surveys);
  for (const entry of state.ledger.filter(isOf(device))) entry.survey = "";
}
function notOf(device, records) {
  const isOurs = isOf(device);
  return records.filter((record) => !isOurs(record));
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
