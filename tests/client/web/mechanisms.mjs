// What the tests ask of the browser's mechanisms; it runs in Node and in a page.

const fromHex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
const text = ({ n, d }) => (d === 1n ? `${n}` : `${n}/${d}`);

/** Return coins that replay bytes, and zeros after them, and how many bytes were drawn. */
export function recorded(sdk, bytes) {
  let at = 0;
  const coins = new sdk.Coins((count) => {
    const given = new Uint8Array(count);
    given.set(bytes.subarray(Math.min(at, bytes.length), at + count));
    at += count;
    return given;
  });
  return { coins, drawn: () => at };
}

const pool = new Uint8Array(65_536);
let left = 0;

/** Return real random bytes, of which many are asked for at once: so do they come ten times as fast. */
function pooled(count) {
  if (left < count) left = crypto.getRandomValues(pool).length;
  left -= count;
  return pool.subarray(left, left + count);
}

/** Return the mechanism that a manifest states, or why it is refused. */
export async function made(sdk, spec, answers) {
  const load = sdk.MECHANISMS[spec.name];
  try {
    return load ? (await load()).fromSpec(spec, BigInt(answers)) : "unknown";
  } catch (error) {
    return error instanceof sdk.Refusal ? `refused: ${error.message}` : `${error.stack}`;
  }
}

/** Replay one design of a vector file: return how many cases there are, and which are wrong. */
export async function replay(sdk, { mechanism: spec, answers, odds, delta = "0", tried, reports }) {
  const mechanism = await made(sdk, spec, answers);
  if (typeof mechanism === "string") return { cases: 0, wrong: [mechanism] };
  const wrong = [];
  if (text(mechanism.odds) !== odds) wrong.push(`odds ${text(mechanism.odds)}, not ${odds}`);
  if (text(mechanism.delta ?? { n: 0n, d: 1n }) !== delta) wrong.push(`delta is not ${delta}`);
  if (mechanism.answers !== BigInt(answers)) wrong.push(`answers ${mechanism.answers}`);
  const isLong = mechanism.reports > 1n << 53n;
  let cases = 0;
  for (const [data, expected] of Object.entries(reports)) {
    const draws = new Set();
    tried.forEach((answer, at) => {
      const { coins, drawn } = recorded(sdk, fromHex(data));
      const report = mechanism.randomize(BigInt(answer), coins);
      draws.add(drawn());
      cases += 1;
      const found = isLong ? report.toString(16) : Number(report);
      if (found !== expected[at]) wrong.push(`${JSON.stringify(spec)} ${data} ${answer}: ${found}, not ${expected[at]}`);
    });
    if (draws.size !== 1) wrong.push(`${JSON.stringify(spec)} ${data}: bytes drawn depend on the answer`);
  }
  return { cases, wrong };
}

/** Replay the run of choices of the coins' vectors. */
export function choices(sdk, { runs }) {
  return runs.flatMap(({ bytes, below, choices: expected }) => {
    const { coins } = recorded(sdk, fromHex(bytes));
    const found = below.map((n) => coins.below(n));
    return `${found}` === `${expected}` ? [] : [`${below}: ${found}, not ${expected}`];
  });
}

/** Replay the roundings of the grid's vectors; return which points are wrong. */
export async function grids(sdk, { places }) {
  const kind = (await sdk.KINDS.numbers()).fromJson({ low: "0", high: "1000", step: "1" }, [], "numbers");
  return places.flatMap(({ place: written, nearest, random }) => {
    const [n, d = "1"] = written.split("/");
    const point = (rounding, data) =>
      Number(kind.index({ n: BigInt(n), d: BigInt(d) }, { rounding }, recorded(sdk, fromHex(data)).coins));
    const found = [[nearest, point("nearest", "")], ...Object.entries(random).map(([data, at]) => [at, point("random", data)])];
    return found.filter(([wanted, made]) => wanted !== made).map(([wanted, made]) => `${written}: ${made}, not ${wanted}`);
  });
}

/** Replay the texts' vectors; return which numbers are wrong. */
export async function texts(sdk, { kinds }) {
  const load = await sdk.KINDS.texts();
  return kinds.flatMap(({ texts: domain, numbers }) => {
    const kind = load.fromJson(domain, [], "texts");
    return Object.entries(numbers).flatMap(([written, wanted]) => {
      const made = kind.place(written);
      return (made === undefined ? null : Number(made)) === wanted ? [] : [`${written}: ${made}, not ${wanted}`];
    });
  });
}

/** Return the reports of an answer on every string of choices, by how likely the string is: null if there are too many. */
function channel(mechanism, answer, most) {
  const reports = {};
  const chosen = [];
  for (let strings = 0; strings < most; strings++) {
    let at = 0;
    const below = (n) => {
      if (at === chosen.length) chosen.push({ n, choice: 0 });
      return chosen[at++].choice;
    };
    const report = mechanism.randomize(answer, { reserve() {}, below, bits: (count) => BigInt(below(2 ** count)) });
    const ways = chosen.reduce((product, { n }) => product * BigInt(n), 1n);
    const found = (reports[report] ??= {});
    found[ways] = (found[ways] ?? 0) + 1;
    while (chosen.length && ++chosen[chosen.length - 1].choice === chosen[chosen.length - 1].n) chosen.pop();
    if (!chosen.length) return reports;
  }
  return null;
}

/** Return what a test asks of one mechanism. */
export async function ask(sdk, { spec, answers, verdict, channelOf, drawsOf, tossed, drawn, waves }) {
  const mechanism = await made(sdk, spec, answers);
  if (verdict || typeof mechanism === "string") {
    if (typeof mechanism === "string") return mechanism;
    // That the number of answers is the question's is for the survey to check, whatever the mechanism.
    const fits = mechanism.answers === BigInt(answers);
    return fits ? `made: ${text(mechanism.odds)} ${mechanism.reports}` : "refused: answers";
  }
  if (channelOf) return channelOf.answers.map((answer) => channel(mechanism, BigInt(answer), channelOf.most));
  if (drawsOf) {
    return drawsOf.draws.map((draw) => `${mechanism.randomize(BigInt(drawsOf.answer), { below: () => draw })}`);
  }
  if (tossed) {
    const [answer, counts] = [BigInt(tossed.answer), new Uint32Array(Number(mechanism.reports))];
    for (let toss = 0; toss < tossed.tosses; toss++) counts[mechanism.randomize(answer, new sdk.Coins(pooled))] += 1;
    return [...counts];
  }
  if (drawn) {
    return drawn.streams.map((stream) =>
      drawn.answers.map((answer) => {
        const { coins, drawn: count } = recorded(sdk, fromHex(stream));
        mechanism.randomize(BigInt(answer), coins);
        return count();
      }),
    );
  }
  const { coins } = recorded(sdk, fromHex(waves.stream));
  const report = (value) => `${value}`;
  if (mechanism.memo) {
    const memo = mechanism.memo(coins);
    const given = mechanism.givenMemo;
    return [memo, ...waves.answers.map((answer) => mechanism.through(memo, BigInt(answer), coins)), text(given.odds)].map(report);
  }
  const kept = mechanism.memory.randomize(BigInt(waves.answers[0]), coins);
  return [kept, ...waves.answers.map(() => mechanism.again(kept, coins)), text(mechanism.memory.odds)].map(report);
}

/** Return where a kind of question places answers, each written as a script would write it. */
export async function placed(sdk, { key, value, options, answers }) {
  let kind;
  try {
    kind = key ? (await sdk.KINDS[key]()).fromJson(value, options, key) : sdk.ofOptions(options);
  } catch (error) {
    return error instanceof sdk.Refusal ? "refused" : `${error.stack}`;
  }
  const shown = (place) => (place === undefined ? null : typeof place === "bigint" ? `${place}` : text(place));
  // The answers are expressions of this test's own, such as `0.1 + 0.2`.
  return answers.map((answer) => shown(kind.place(new Function(`return (${answer})`)())));
}
