import{MANIFEST_TYPE as MANIFEST_TYPE,accept as accept,ask as ask,judge as judge,newest as newest,refuse as refuse,standing as standing,versions as versions}from"./page/page.js";

// src/fetching.ts
async function fetchSurvey(device) {
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
export {
  fetchSurvey
};
