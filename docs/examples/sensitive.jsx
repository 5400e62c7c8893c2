import { useState } from "react";

/** A yes/no question of a Tossup survey; `client` is `new Client(link)`, made once for the page. */
export function Sensitive({ client, id, text, attributes = {} }) {
  const [said, say] = useState("");
  const answer = async (yes) => {
    say("Tossing.");
    const outcome = await client.answer({ ...attributes, [id]: yes });
    const { pending } = await client.flush();
    say(outcome !== "queued" ? `Nothing was sent (${outcome}).` : pending ? "Tossed, and kept until you are online." : "Tossed, sent, done.");
  };
  if (said) return <p role="status">{said}</p>;
  const buttons = [true, false].map((yes) => <button type="button" key={`${yes}`} onClick={() => answer(yes)}>{yes ? "Yes" : "No"}</button>);
  return <fieldset><legend>{text}</legend>{buttons}</fieldset>;
}
