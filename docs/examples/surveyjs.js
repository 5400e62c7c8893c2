/**
 * For a SurveyJS model: answers to protected questions are tossed for in the page, and are gone
 * from the result before any `onComplete` handler, and so any server, sees it.
 *
 *     import { Client } from "/sdk/index.js";
 *     protect(model, new Client(link), { questions: ["ever_tried"], attributes: ["region"] });
 *
 * Names are the ids of the Tossup survey: a boolean for yes or no, a radiogroup, dropdown or
 * checkbox whose values are the options' ids, a ranking of them, a text for numbers and texts.
 * The survey completes once they are tossed: its last page thanks nobody whose answer was not.
 *
 * @param told Is given the outcome, and when to call `client.flush()` again.
 * @returns The model. Save no draft of it (`onValueChanged`, `onPartialSend`): that is the truth.
 */
export function protect(model, client, { questions, attributes = [] }, told = () => {}) {
  let step = "asked"; // then "tossing", and "tossed" while the survey completes
  model.onCompleting.add((survey, completing) => {
    const isAsked = (name) => survey.getValue(name) !== undefined;
    const answers = Object.fromEntries(
      [...questions.filter(isAsked), ...attributes].map((name) => [name, survey.getValue(name)]),
    );
    for (const name of questions) survey.clearValue(name);
    const asks = step === "asked" && questions.some((name) => name in answers);
    if (asks || step === "tossing") completing.allow = false; // it completes once they are tossed
    if (asks) void toss(survey, answers);
  });

  async function toss(survey, answers) {
    step = "tossing";
    const outcome = await client.answer(answers);
    step = "tossed";
    if (outcome !== "queued") survey.completedHtml = `<p>Nothing was sent (${outcome}).</p>`;
    survey.doComplete();
    step = "asked";
    told(outcome, await client.flush());
  }
  return model;
}
