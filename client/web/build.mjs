// Builds the browser SDK, byte for byte the same wherever the locked tools run.
//
//   node build.mjs [--served FOLDER] [--package FOLDER]
//
// `served` is what the server hands out and the repository keeps: minified modules with source
// maps, the same unminified under `readable`, and the SHA-384 of every file in `hashes.json`.
// `package` is what `npm pack` packs: these files, the entry for tests, and the types.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const { values: outputs } = parseArgs({
  options: {
    served: { type: "string", default: join(here, "../../server/tossup/server/web/pages/static/sdk") },
    package: { type: "string", default: join(here, "dist") },
  },
});

const common = {
  absWorkingDir: here,
  bundle: true,
  target: "es2022",
  charset: "utf8",
  sourcemap: true,
  legalComments: "none",
  logLevel: "warning",
};

/** Every module that is loaded on demand is an entry, so that its name stays as it is. */
const inFolders = (...folders) => folders.flatMap((folder) => sources(join(here, "src", folder)));
const named = (...names) => names.map((name) => join(here, "src", `${name}.ts`));
const isEntry = (name) => !/\/(base|index|field|yes-no|page\/page)\.ts$/.test(name);
const shared = [
  ...inFolders("mechanisms", "kinds").filter(isEntry),
  ...named("coins", "offers", "preview", "status", "trouble", "versions", "waves"),
];
const onDemand = [...shared, ...named("caps", "rights", "store/page")];
const onPage = [...shared, ...named("fetching"), ...inFolders("page").filter(isEntry)];

/** What every page needs is one file: each module that is loaded on demand says that it needs all of it. */
const oneCore = (core, entries, change = (source) => source) => ({
  name: "one-core",
  setup(building) {
    building.onLoad({ filter: /src\/.*\.ts$/ }, ({ path }) => {
      const needed = `./${relative(dirname(path), join(here, "src", core))}`;
      const end = entries.includes(path) ? `\nimport ${JSON.stringify(needed)};\n` : "";
      return { contents: change(readFileSync(path, "utf8")) + end, loader: "ts" };
    });
  },
});

/**
 * The respondents' page has a screen for every outcome and shows no reason: its script has none.
 * The text that ends a call of these functions is left out, which the types hold to be a reason.
 */
const withoutReasons = (source) =>
  source
    .replace(/\b(refuse\("[a-z-]+"), (?:"[^"]*"|`[^`]*`|[\w.]+)\)/g, "$1)")
    .replace(/\b(refuseManifest\()(?:"[^"]*"|`[^`]*`)\)/g, "$1)")
    .replace(/^(.*\bcheck\(.+), "[^"]*"\);$/gm, "$1);");

/** Names that stay in the page: no manifest, report, stored state, other script or object of the browser has them. */
const INNER =
  /^(?:again|answerKind|begin|below|bits|caps|chance|coins|cost|due|fetched|fewestOptions|fits|givenMemo|isDurable|isFinal|link|mustConsent|outcome|place|places|randomize|randomizer|reason|reserve|seconds|server|stated|store|timeoutSeconds|toss|tossAll|tossed|tosses|transact|verified)$/;

/** A script without modules loads the others from beside it, when it needs them. */
const fromBeside = {
  name: "from-beside",
  setup(building) {
    building.onResolve({ filter: /^\.\.?\// }, (asked) => {
      if (asked.kind !== "dynamic-import") return undefined;
      const path = relative(join(here, "src"), join(asked.resolveDir, asked.path));
      return { path: `./${path}`, external: true };
    });
  },
};

async function modules(folder, entries, minify) {
  await write(folder, {
    entryPoints: entries,
    outbase: "src",
    minify,
    format: "esm",
    splitting: true,
    chunkNames: "shared/[hash]",
    plugins: [oneCore("client.ts", onDemand)],
  });
  await write(folder, {
    entryPoints: { "tossup.iife": "src/index.ts" },
    minify,
    format: "iife",
    globalName: "Tossup",
    plugins: [fromBeside],
  });
}

/** The script of the respondents' page, and what it loads on demand: nothing that others embed. */
async function page(folder, minify) {
  await write(folder, {
    entryPoints: [join(here, "src/page/page.ts"), ...onPage],
    outbase: "src",
    minify,
    format: "esm",
    splitting: true,
    chunkNames: "shared/[hash]",
    plugins: [oneCore("page/page.ts", onPage, minify ? withoutReasons : undefined)],
    ...(minify && { mangleProps: INNER }),
  }, inOneFile);
}

/** The page's own module only names the chunk that is its core: let it be that chunk, and its names the shortest. */
function inOneFile(files) {
  const stub = files.find(({ path }) => path.endsWith("page/page.js"));
  const [, core] = /"\.\.\/shared\/(\w+)\.js"/.exec(stub.text);
  const chunk = files.find(({ path }) => path.endsWith(`shared/${core}.js`));
  const [exported, list] = /export ?\{([^}]*)\};/.exec(chunk.text);
  const pairs = (names) => names.split(",").map((part) => part.trim().split(" as ")).map(([name, as = name]) => [name, as]);
  const inner = new Map(pairs(list).map(([name, as]) => [as, name]));
  const importing = new RegExp(`import ?(?:\\{([^}]*)\\} ?from ?)?"(\\.\\.?/)(shared/)?${core}\\.js"`, "g");
  const renamed = (names) => pairs(names).map(([name, as]) => `${inner.get(name)} as ${as}`);
  const rewritten = (text) =>
    text.replace(importing, (_, names, up, shared) => `import${names ? `{${renamed(names)}}from` : ""}"${shared ? up : "../"}page/page.js"`);
  return files
    .filter((file) => file !== stub && !file.path.endsWith(".map"))
    .map((file) => ({
      path: file === chunk ? stub.path : file.path,
      contents: (file === chunk ? file.text.replace(exported, `export{${[...new Set(inner.values())]}};`) : rewritten(file.text))
        .replace(/\n\/\/# sourceMappingURL=.*\n$/, "\n"),
    }));
}

/** Source maps name their sources as seen from `dist`, wherever the files are written. */
async function write(folder, options, change = (files) => files) {
  const outdir = join(here, "dist");
  const made = await build({ ...common, ...options, outdir, write: false, metafile: true });
  for (const { entryPoint, exports } of Object.values(made.metafile.outputs)) {
    const lost = entryPoint ? exports.filter((name) => options.mangleProps?.test(name)) : [];
    if (lost.length) throw new Error(`${entryPoint} exports ${lost}, which is shortened where it is used: take it out of INNER, or rename it`);
  }
  for (const file of change(made.outputFiles)) {
    const path = join(folder, relative(outdir, file.path));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, file.contents);
  }
}

function sources(folder) {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return names.filter((name) => name.endsWith(".ts")).sort().map((name) => join(folder, name));
}

function writeHashes(folder) {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => /\.js$/.test(name));
  const hashes = names.sort().map((name) => {
    const hash = createHash("sha384").update(readFileSync(join(folder, name))).digest("base64");
    return [name, `sha384-${hash}`];
  });
  writeFileSync(join(folder, "hashes.json"), `${JSON.stringify(Object.fromEntries(hashes), null, 1)}\n`);
}

const entries = [join(here, "src/index.ts"), ...onDemand];
rmSync(outputs.served, { recursive: true, force: true });
rmSync(outputs.package, { recursive: true, force: true });
await modules(outputs.served, entries, true);
await modules(join(outputs.served, "readable"), entries, false);
cpSync(outputs.served, outputs.package, { recursive: true });
await page(join(outputs.served, "respondent"), true);
await page(join(outputs.served, "readable/respondent"), false);
writeHashes(outputs.served);
await modules(join(outputs.package, "readable"), [...entries, join(here, "src/testing.ts")], false);
execFileSync(join(here, "node_modules/.bin/tsc"), ["--outDir", join(outputs.package, "types")], {
  cwd: here,
  stdio: "inherit",
});
