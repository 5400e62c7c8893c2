/**
 * For a SurveyJS model: answers to protected questions are tossed for in the page, and are gone
 * from the result before any `onComplete` handler, and so any server, sees it.
 *
 *     import { Client } from "/sdk/index.js";
 *     protect(model, new Client(link), { questions: ["ever_tried"], attributes: ["region"] });
 *
 * Names are the ids of the Tossup survey: a boolean for yes or no, a radiogroup, dropdown or
 * checkbox whose values are the options' ids, a ranking of them, a text for numbers and texts.
 *
 * @param told Is given the outcome, and when to call `client.flush()` again.
 * @returns The model. Save no draft of it (`onValueChanged`, `onPartialSend`): that is the truth.
 */
export function protect(model, client, { questions, attributes = [] }, told = () => {}) {
  model.onCompleting.add((survey) => {
    const isAsked = (name) => survey.getValue(name) !== undefined;
    const answers = Object.fromEntries(
      [...questions.filter(isAsked), ...attributes].map((name) => [name, survey.getValue(name)]),
    );
    for (const name of questions) survey.clearValue(name);
    if (!questions.some((name) => name in answers)) return;
    void client.answer(answers).then(async (outcome) => told(outcome, await client.flush()));
  });
  return model;
}
