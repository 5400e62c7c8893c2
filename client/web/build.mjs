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
const folders = ["mechanisms", "kinds", "page"].flatMap((folder) => sources(join(here, "src", folder)));
const onDemand = [
  ...folders.filter((name) => !/\/(base|index|field)\.ts$/.test(name)),
  ...["caps", "preview", "status", "store/page", "versions", "waves"].map((name) => join(here, "src", `${name}.ts`)),
];

/** What every page needs is one file: each module that is loaded on demand says that it needs all of it. */
const oneCore = {
  name: "one-core",
  setup(building) {
    building.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      if (!onDemand.includes(path)) return undefined;
      const core = `./${relative(dirname(path), join(here, "src/client.ts"))}`;
      return { contents: `${readFileSync(path, "utf8")}\nimport ${JSON.stringify(core)};\n`, loader: "ts" };
    });
  },
};

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
    plugins: [oneCore],
  });
  await write(folder, {
    entryPoints: { "tossup.iife": "src/index.ts" },
    minify,
    format: "iife",
    globalName: "Tossup",
    plugins: [fromBeside],
  });
}

/** Source maps name their sources as seen from `dist`, wherever the files are written. */
async function write(folder, options) {
  const outdir = join(here, "dist");
  const made = await build({ ...common, ...options, outdir, write: false });
  for (const file of made.outputFiles) {
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
writeHashes(outputs.served);
cpSync(outputs.served, outputs.package, { recursive: true });
await modules(join(outputs.package, "readable"), [...entries, join(here, "src/testing.ts")], false);
execFileSync(join(here, "node_modules/.bin/tsc"), ["--outDir", join(outputs.package, "types")], {
  cwd: here,
  stdio: "inherit",
});
