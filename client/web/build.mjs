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
const { values: folders } = parseArgs({
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
const onDemand = ["mechanisms", "kinds", "page"].flatMap((folder) =>
  sources(join(here, "src", folder)).filter((name) => !/\/(base|index)\.ts$/.test(name)),
);

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
rmSync(folders.served, { recursive: true, force: true });
rmSync(folders.package, { recursive: true, force: true });
await modules(folders.served, entries, true);
await modules(join(folders.served, "readable"), entries, false);
writeHashes(folders.served);
cpSync(folders.served, folders.package, { recursive: true });
await modules(join(folders.package, "readable"), [...entries, join(here, "src/testing.ts")], false);
execFileSync(join(here, "node_modules/.bin/tsc"), ["--outDir", join(folders.package, "types")], {
  cwd: here,
  stdio: "inherit",
});
