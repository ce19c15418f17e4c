// @ts-check
/** `npm run docs`: writes the generated pages of docs/. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { testBuild } from "./test.mjs";

const root = new URL("..", import.meta.url);
const { version } = JSON.parse(readFileSync(new URL("package.json", root), "utf8"));

const built = await testBuild(["build/pages.ts"]);
try {
  /** @type {{ pages(version: string): Record<string, string> }} */
  const { pages } = await import(pathToFileURL(built.files[0]).href);
  for (const [page, text] of Object.entries(pages(version))) {
    const path = fileURLToPath(new URL(page, root));
    if (existsSync(path) && readFileSync(path, "utf8") === text) continue;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    console.error(`wrote ${page}`);
  }
} finally {
  built.clean();
}
