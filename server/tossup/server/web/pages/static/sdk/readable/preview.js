import {
  newest,
  refuse,
  spent,
  versions
} from "./shared/QSFGJONQ.js";

// src/preview.ts
async function preview(device, names) {
  const known = await versions(device, await device.store.read());
  const survey = newest(known) ?? await device.fetched(device);
  const { questions, attributes, linkage } = survey;
  const ids = [...questions, ...attributes].map((part) => part.id);
  const named = names ? questions.filter((question) => names.includes(question.id)) : questions;
  if (!named.length || !names?.every((name) => ids.includes(name)) === !!names) {
    refuse("refused-answer", "the survey asks no such question");
  }
  const asked = linkage === "joint" ? questions : named;
  const raises = known.length > 1 && await import("./versions.js");
  const found = raises ? await device.store.transact((state) => {
    const all = raises.raised(device, state, known);
    raises.notePreview(device, state, survey, asked.filter((question) => all.has(question)));
    return all;
  }) : void 0;
  return {
    survey,
    questions: asked.map((question) => {
      const { cost, chance, tossed, randomizer } = question;
      const raise = found?.get(question);
      const stated = randomizer.stated?.();
      return {
        question,
        odds: cost,
        delta: chance,
        oneReport: tossed.odds,
        ...stated && { stated },
        ...raise?.isDearer && { raisedFrom: raise.knownCost }
      };
    }),
    ...spent(asked.map(({ cost, chance }) => ({ odds: cost, delta: chance }))),
    travelsTogether: linkage === "joint",
    changes: [...new Set(asked.flatMap((question) => found?.get(question)?.changes ?? []))]
  };
}
export {
  preview
};
//# sourceMappingURL=preview.js.map
