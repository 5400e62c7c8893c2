/** The receipt's buttons: to take reports back, and to have this device forget. */

import type { Device } from "../device.js";
import { forget, withdraw } from "../rights.js";
import { flush } from "../upload.js";
import { all } from "./field.js";

/** Let the buttons do what they say, and say below that it was done. */
export function offer(device: Device, folds: HTMLElement): void {
  const [withdrawing, forgetting] = all<HTMLButtonElement>(folds, "button");
  on(withdrawing, async () => {
    await device.store.transact((state) => withdraw(device, state));
    return (await flush(device, true)).reason ? "kept" : "said";
  });
  on(forgetting, async () => {
    await device.store.transact((state) => forget(device, state));
    return "said";
  });
}

function on(button: HTMLButtonElement | undefined, work: () => Promise<"said" | "kept" | "failed">): void {
  const status = button?.closest("details")?.querySelector<HTMLElement>("[role=status]");
  if (!button || !status) return;
  button.disabled = false;
  button.addEventListener("click", async () => {
    button.disabled = true;
    const done = await work().catch((): "failed" => "failed");
    status.textContent = status.dataset[done] ?? "";
    button.disabled = done === "failed";
  });
}
