// @ts-check
/** `npm run docs`: writes the pages of docs/ that come from the code. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { ensureInstalled } from "./install.mjs";

const root = new URL("..", import.meta.url);

/** Page, and the module and function that make its text. */
const PAGES = [["docs/configuration.md", "lib/config/docs.ts", "configurationPage"]];

ensureInstalled();
const { build } = await import("esbuild");
const { common } = await import("./assets.mjs");
for (const [page, entry, name] of PAGES) {
  const { outputFiles } = await build({ ...common, format: "esm", entryPoints: [entry], write: false });
  const module = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
  const path = fileURLToPath(new URL(page, root));
  const text = module[name]();
  if (existsSync(path) && readFileSync(path, "utf8") === text) continue;
  mkdirSync(fileURLToPath(new URL("docs/", root)), { recursive: true });
  writeFileSync(path, text);
  console.error(`wrote ${page}`);
}
