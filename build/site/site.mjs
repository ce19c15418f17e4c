// @ts-check
/**
 * `npm run site [-- --out FOLDER]`: writes the documentation as a static site to dist/site, with the API reference in
 * `api/`. The program serves the same pages at `/docs/guide/`, from the asset that `packedSite` makes.
 */
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { pack } from "../pack.mjs";
import { render } from "./markdown.mjs";
import { PAGES } from "./navigation.mjs";
import { pageHtml } from "./page.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (/** @type {string} */ path) => readFileSync(join(root, path), "utf8").replaceAll("\r\n", "\n");

/** Files that pages link to and that become part of the site. */
const FILES = ["docs/monitoring/alerts.yml", "docs/monitoring/grafana-dashboard.json"];

/**
 * @param {{ api: string, pictures: boolean }} options api: address of the API reference; pictures: with the pictures of
 * the README, which are too large for the program
 * @returns {Promise<Map<string, Uint8Array>>} every file of the site by name
 */
export async function siteFiles({ api, pictures }) {
  missingPages();
  const { version } = JSON.parse(read("package.json"));
  const assets = await browserFiles();
  const linkTo = (/** @type {string} */ path) => {
    const page = PAGES.find(({ source }) => source === path || source === `${path}/README.md`);
    if (page) return `${page.name}.html`;
    if (path === "docs/openapi.json") return `${api}spec.json`;
    return FILES.includes(path) || (pictures && path.startsWith("docs/pictures/")) ? basename(path) : undefined;
  };
  const files = new Map(assets);
  /** @type {[page: string, anchor: string, title: string, heading: string, text: string, level: number][]} */
  const sections = [];
  for (const page of PAGES) {
    const rendered = render(page.source, read(page.source), { linkTo, pictures });
    for (const { anchor, heading, text, level } of rendered.sections)
      sections.push([page.name, anchor, page.label, heading, text, level]);
    files.set(
      `${page.name}.html`,
      Buffer.from(pageHtml({ page, rendered, version, api, names: assets.map(([name]) => name) })),
    );
  }
  files.set("sections.json", Buffer.from(JSON.stringify(sections)));
  for (const path of FILES) files.set(basename(path), readFileSync(join(root, path)));
  if (pictures)
    for (const name of readdirSync(join(root, "docs/pictures")))
      files.set(name, readFileSync(join(root, "docs/pictures", name)));
  return files;
}

/** The site as one asset of the program, below `/docs/guide/`. @returns {Promise<Uint8Array>} */
export async function packedSite() {
  return pack(await siteFiles({ api: "../", pictures: false }));
}

/** @throws Error that names the pages of docs/ that the navigation lacks */
function missingPages() {
  const listed = new Set(PAGES.map(({ source }) => source));
  const missing = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .map((name) => `docs/${name.replaceAll("\\", "/")}`)
    .filter((name) => name.endsWith(".md") && !listed.has(name));
  if (missing.length > 0) throw new Error(`build/site/navigation.mjs lacks ${missing.join(", ")}`);
}

/** The scripts and the style sheet; their names contain a hash. @returns {Promise<[string, Uint8Array][]>} */
async function browserFiles() {
  const source = join(root, "build/site/browser");
  const { outputFiles } = await build({
    entryPoints: { site: join(source, "site.ts"), theme: join(source, "theme.ts"), style: join(source, "style.css") },
    outdir: "out",
    write: false,
    bundle: true,
    minify: true,
    format: "iife",
    target: ["es2022"],
    supported: { "color-functions": true, nesting: true },
    entryNames: "[name]-[hash]",
    legalComments: "none",
    logLevel: "warning",
  });
  const icon = readFileSync(join(root, "handlers/ui/panel/icon.svg"));
  const hash = createHash("sha256").update(icon).digest("hex").slice(0, 8).toUpperCase();
  return [
    ...outputFiles.map((f) => /** @type {const} */ ([basename(f.path), f.contents])),
    [`icon-${hash}.svg`, icon],
  ].map(([name, bytes]) => [String(name), /** @type {Uint8Array} */ (bytes)]);
}

/** The API reference for a web server without the program. @param {string} folder */
async function writeReference(folder) {
  const outfile = join(root, `dist/reference-${process.pid}.cjs`);
  const require = createRequire(import.meta.url);
  await build({
    entryPoints: [join(root, "lib/core/api/reference/page.ts")],
    outfile,
    format: "cjs",
    platform: "node",
    logLevel: "warning",
  });
  try {
    const { REFERENCE_PAGE, REFERENCE_SCRIPT } = require(outfile);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "index.html"), REFERENCE_PAGE);
    // Requests of the page go to a proxy on the reader's machine instead of the web server.
    writeFileSync(join(folder, "start.js"), REFERENCE_SCRIPT.replace(/^ *spec\.servers = .*\n/m, ""));
    writeFileSync(join(folder, "spec.json"), read("docs/openapi.json"));
    for (const [to, from] of [
      ["swagger-ui.js", "swagger-ui-bundle.js"],
      ["swagger-ui.css", "swagger-ui.css"],
      ["swagger-ui-licence.txt", "LICENSE"],
    ])
      copyFileSync(require.resolve(`swagger-ui-dist/${from}`), join(folder, String(to)));
  } finally {
    rmSync(outfile, { force: true });
  }
}

/** @param {string} out */
export async function writeSite(out) {
  const files = await siteFiles({ api: "api/", pictures: true });
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  for (const [name, bytes] of files) writeFileSync(join(out, name), bytes);
  await writeReference(join(out, "api"));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { out: { type: "string", default: join(root, "dist/site") } } });
  await writeSite(values.out);
  console.log(values.out);
}
