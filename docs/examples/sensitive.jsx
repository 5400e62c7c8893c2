import { useState } from "react";

/** A yes/no question of a Tossup survey; `client` is `new Client(link)`, made once for the page. */
export function Sensitive({ client, id, text, attributes = {} }) {
  const [outcome, setOutcome] = useState(null);
  const answer = async (yes) => {
    setOutcome(await client.answer({ ...attributes, [id]: yes }));
    await client.flush();
  };
  if (outcome !== null) return <p role="status">{outcome === "queued" ? "Tossed, sent, done." : outcome}</p>;
  const buttons = [true, false].map((yes) => <button key={`${yes}`} onClick={() => answer(yes)}>{yes ? "Yes" : "No"}</button>);
  return <fieldset><legend>{text}</legend>{buttons}</fieldset>;
}
