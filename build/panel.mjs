// @ts-check
/** Bundles the control panel (handlers/ui/panel) for browsers and packs it into one asset. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { pack } from "./pack.mjs";

const root = new URL("..", import.meta.url);
const source = fileURLToPath(new URL("handlers/ui/panel/", root));

/** Every file of the panel by name. */
async function files() {
  const { outputFiles, metafile } = await build({
    entryPoints: { panel: `${source}main.tsx`, style: `${source}style.css` },
    outdir: "out",
    write: false,
    bundle: true,
    minify: true,
    splitting: true,
    format: "esm",
    target: ["es2022"],
    // Browsers must support `light-dark()`; without it, every colour would be needed twice.
    supported: { "color-functions": true, nesting: true },
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    jsx: "automatic",
    jsxImportSource: "preact",
    legalComments: "none",
    logLevel: "warning",
    metafile: true,
    define: { "process.env.NODE_ENV": '"production"' },
  });
  void metafile;
  /** @type {Map<string, Uint8Array>} */
  const all = new Map(outputFiles.map((f) => [basename(f.path), f.contents]));
  const icon = readFileSync(`${source}icon.svg`);
  all.set(`icon-${createHash("sha256").update(icon).digest("hex").slice(0, 8).toUpperCase()}.svg`, icon);
  return all;
}

/** The HTML page for all paths below /ui/. @param {string[]} names */
function shell(names) {
  const named = (/** @type {RegExp} */ like) => names.find((n) => like.test(n)) ?? "";
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>proxy</title>
<link rel="icon" type="image/svg+xml" href="/ui/assets/${named(/^icon-/)}">
<link rel="stylesheet" href="/ui/assets/${named(/^style-.*css$/)}">
<script type="module" src="/ui/assets/${named(/^panel-.*js$/)}"></script>
</head>
<body>
<div id="panel"></div>
<noscript>The control panel needs JavaScript. The same can be done on the command line (<code>proxy --help</code>) and over the <a href="/docs/">REST API</a>.</noscript>
</body>
</html>
`;
}

/** @returns {Promise<Uint8Array>} */
export async function packedPanel() {
  const all = await files();
  all.set("index.html", Buffer.from(shell([...all.keys()])));
  return pack(all);
}
