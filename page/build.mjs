// Builds the page into the package: one entry, a part for each heavy view, and a worker for the layout of the graph.
import { build } from "esbuild";
import { copyFileSync, cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const shipped = "../src/omoide/interfaces/page/assets";
const out = "built";
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });

const done = await build({
  entryPoints: {
    main: "src/main.tsx",
    layout: "src/layout-worker.ts",
  },
  outdir: out,
  bundle: true,
  splitting: true,
  minify: true,
  format: "esm",
  target: "es2022",
  chunkNames: "part-[name]-[hash]",
  assetNames: "[name]",
  loader: { ".woff2": "file", ".svg": "file" },
  jsx: "automatic",
  jsxImportSource: "preact",
  legalComments: "none",
  metafile: true,
  logLevel: "warning",
});
copyFileSync("src/index.html", join(out, "index.html"));
copyFileSync("src/icon.svg", join(out, "icon.svg"));

// The licence of every package of which something is in the result.
const used = new Set(
  Object.values(done.metafile.outputs)
    .flatMap((each) => Object.entries(each.inputs))
    
    .map(([name]) => name.match(/node_modules\/((?:@[^/]+\/)?[^/]+)/)?.[1])
    .filter(Boolean),
);
const texts = [...used].sort().map((name) => {
  const folder = join("node_modules", name);
  const about = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const files = readdirSync(folder).filter((each) => /^licen[cs]e(\.(md|txt))?$|^licen[cs]e\.mit(\.txt)?$/i.test(each));
  const text = files.length ? readFileSync(join(folder, files.sort().at(-1)), "utf8").trim() : "";
  return `${name} ${about.version} (${about.license})\n\n${text}`;
});
writeFileSync(join(out, "LICENSES.txt"), texts.join("\n\n" + "-".repeat(100) + "\n\n") + "\n");

rmSync(shipped, { recursive: true, force: true });
cpSync(out, shipped, { recursive: true });
rmSync(out, { recursive: true });
