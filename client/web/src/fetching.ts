/** The survey, as its server says that it is now. The respondents' page loads it where it does not bring the survey along. */

import { accept, type Device, newest, standing, versions } from "./device.js";
import { refuse } from "./refusal.js";
import type { Survey } from "./survey.js";
import { ask } from "./upload.js";
import { judge } from "./verdicts.js";
import { MANIFEST_TYPE } from "./wire.js";

/**
 * Fetch the survey, verify it and store it; fall back to the stored one when offline.
 *
 * @throws Refusal if there is none to trust, or the server says that it is closed.
 */
export async function fetchSurvey(device: Device): Promise<Survey> {
  const { link, store } = device;
  const answer = await ask(device, `/v1/surveys/${link.survey}`);
  if (answer.status === 200 && answer.type === MANIFEST_TYPE) return accept(device, answer.body);
  const { code } = await judge(answer);
  if (code === "survey-unknown") refuse("misconfigured", code);
  const isClosed = await store.transact((state) => {
    const now = standing(device, state);
    if (code === "survey-closed") now.isClosed = true;
    else now.problem = code === "offline" ? code : "not-our-server";
    return now.isClosed;
  });
  if (isClosed) refuse("closed", "by the server");
  return newest(await versions(device, await store.read())) ?? refuse("unreachable", code);
}
