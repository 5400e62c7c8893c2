/** Where a survey and a device stand. */

import { isOver } from "./days.js";
import type { Link } from "./link.js";
import { type Device, isOf, newest, standing, versions } from "./device.js";
import type { Outcome } from "./outcome.js";
import { type Ratio, spent } from "./ratio.js";
import { emptyState, type Entry, type Report, type State } from "./store/state.js";
import { remaining } from "./upload.js";
import type { WaveStatus } from "./waves.js";

/** What has been spent of the lifetime caps, exactly: odds multiply, chances add up. */
export interface Spending {
  readonly odds: Ratio;
  readonly cap: Ratio;
  readonly delta: Ratio;
  readonly deltaCap: Ratio;
}

export interface Status {
  /** Reports to be sent; acknowledged; to be withdrawn; and those that the server would not withdraw. */
  readonly pending: number;
  readonly sent: number;
  readonly withdrawing: number;
  readonly unwithdrawn: number;
  /** Reports that the server refused for good, counted by its code. */
  readonly quarantined: Readonly<Record<string, number>>;
  readonly publisher: Spending;
  readonly device: Spending;
  /** The publisher's topics that this device has answered, for life. */
  readonly answeredTopics: readonly string[];
  readonly consent: boolean | null;
  readonly closed: boolean;
  /** Why the last call was refused: its outcome, a colon, and the reason; or what the last request met. */
  readonly problem: string | null;
  readonly retryAfterSeconds: number;
  readonly waves?: WaveStatus;
  /** Ids of questions that ask more than this device knew: answered once they have been previewed. */
  readonly raised: readonly string[];
  /**
   * Whether the browser has promised to keep what is stored until it is told otherwise. Without, it
   * may forget what was answered: under pressure of space, after a while, or with a private window.
   */
  readonly remembers: boolean;
  /** Why the rest of this status could not be read. */
  readonly trouble: Outcome | null;
}

/** Return where the survey and the device stand. */
export async function status(device: Device): Promise<Status> {
  const { store } = device;
  const known = await versions(device, await store.read());
  const survey = newest(known);
  const raises = known.length > 1 && (await import("./versions.js"));
  const asking = survey?.waves && (await import("./waves.js"));
  const remembers = store.isDurable && !!(await navigator.storage?.persisted?.().catch(() => false));
  const look = (state: State): Status => {
    const found = summary(device, state);
    const closed = found.closed || (!!survey && isOver(survey));
    return {
      ...found,
      closed,
      remembers,
      ...(asking && { waves: asking.waveStatus(device, state, survey, closed || found.consent === false) }),
      raised: raises ? [...raises.raised(device, state, known).keys()].map((question) => question.id) : [],
    };
  };
  return asking ? store.transact(look) : look(await store.read()); // coins may choose the waves
}

/** Return the status where nothing can be read. */
export const nothing = (caps: Device["caps"]): Status => summary({ caps, link: { publisher: "", survey: "" } as Link }, emptyState());

/** Return what a state says of a survey and of the device. */
function summary(device: Pick<Device, "caps" | "link">, state: State): Status {
  const { caps, link } = device;
  const now = standing(device, state);
  const reports = state.outbox.filter(isOf(device));
  const mine = state.ledger.filter((entry) => entry.publisher === link.publisher);
  const spending = (entries: Entry[], cap: Ratio): Spending => ({ ...spent(entries), cap, deltaCap: caps.delta });
  const count = (is: Report["state"]): number => reports.filter((report) => report.state === is).length;
  const quarantined: Record<string, number> = {};
  for (const { state: is, code } of reports) if (is === "quarantined") quarantined[code] = (quarantined[code] ?? 0) + 1;
  return {
    pending: count("pending"),
    sent: count("sent"),
    withdrawing: count("withdrawing"),
    unwithdrawn: count("unwithdrawn"),
    quarantined,
    publisher: spending(mine, caps.publisher),
    device: spending(state.ledger, caps.device),
    answeredTopics: [...new Set(mine.map((entry) => entry.topic))].sort(),
    consent: now.consent,
    closed: now.isClosed,
    problem: now.problem,
    retryAfterSeconds: remaining(now),
    raised: [],
    remembers: false,
    trouble: null,
  };
}
