import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { router } from "#handlers/router.ts";
import { guideFiles, guideSections } from "#lib/core/api/reference/guide-files.ts";
import { withApp } from "#test/kit/app.ts";
import { ask } from "#test/kit/http.ts";
import { folder } from "#test/kit/program.ts";

const nobody = { as: "nobody" } as const;
const pages = Object.keys(guideFiles()).filter((name) => name.endsWith(".html"));

/** The targets of a page: what it links to and what it loads. */
const targets = (html: string) =>
  [...html.matchAll(/ (?:href|src)="([^"]*)"/g)].map(([, to]) => to!.replaceAll("&amp;", "&"));
const ids = (html: string) => new Set([...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id!));

/** Fails for a link that leads nowhere. @param read the text of a file; undefined if there is none */
function checkLinks(names: readonly string[], read: (name: string) => string | undefined): void {
  let checked = 0;
  for (const name of names)
    for (const to of targets(read(name) ?? "")) {
      if (/^(?:https?|mailto|data):/.test(to)) continue;
      assert.notEqual(to, "", `${name} has an empty link`);
      const [path = "", anchor] = to.split("#");
      const target = path === "" ? name : join(dirname(name), path, path.endsWith("/") ? "index.html" : "");
      const found = read(target);
      assert.ok(found !== undefined, `${name} links to ${to}`);
      if (anchor) assert.ok(ids(found).has(decodeURIComponent(anchor)), `${name}: ${target} has no #${anchor}`);
      checked++;
    }
  assert.ok(checked > 1000, `only ${checked} links`);
}

test("every page of docs/ is in the documentation, and the program carries at most 600 KB of it", () => {
  const sources = readdirSync("docs", { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".md"));
  assert.equal(pages.length, sources.length + 4);
  const size = Object.values(guideFiles()).reduce((sum, bytes) => sum + bytes, 0);
  assert.ok(size <= 600_000, `${size} bytes`);
});

test("every link of every page leads to a page, and where it names one, to an id of it", async () => {
  await withApp({ connect: false }, async (app) => {
    const handlers = router(app);
    const files = new Map<string, string>();
    for (const name of Object.keys(guideFiles())) {
      const response = await handlers.fetch(new Request(`http://localhost/docs/guide/${name}`));
      assert.equal(response.status, 200, name);
      files.set(`guide/${name}`, await response.text());
    }
    for (const name of ["index.html", "spec.json"]) {
      const path = name === "index.html" ? "" : name;
      files.set(name, await (await handlers.fetch(new Request(`http://localhost/docs/${path}`))).text());
    }

    checkLinks(
      pages.map((name) => `guide/${name}`),
      (name) => files.get(name),
    );
  });
});

test("the pages need no credential, and load only scripts and styles of their own", () =>
  withApp({ connect: false }, async (app) => {
    const redirect = await ask(app, "GET /docs/guide", nobody);
    assert.equal(new URL(redirect.headers.get("location") ?? "", "http://a/docs/guide").pathname, "/docs/guide/");
    const first = await ask(app, "GET /docs/guide/", nobody);
    assert.match(first.headers.get("content-type") ?? "", /^text\/html/);
    for (const name of pages) {
      const { status, headers, body } = await ask(app, `GET /docs/guide/${name}`, nobody);
      assert.equal(status, 200, name);
      const policy = headers.get("content-security-policy") ?? "";
      assert.ok(policy.includes("default-src 'none'") && policy.includes("script-src 'self'"), policy);
      assert.doesNotMatch(policy, /unsafe|\*|https?:/);
      const text = body.replace(/<pre[\s\S]*?<\/pre>/g, "");
      assert.doesNotMatch(text, /\sstyle=|\son\w+=|<script>|<style|<script src="(?:https?:)?\/\//, name);
    }
    for (const none of ["none.html", "site.pack", "__proto__", "..%2Fspec.json"])
      assert.equal((await ask(app, `GET /docs/guide/${none}`, nobody)).status, 404, none);
  }));

test("scripts and styles are cached for good, pages are not, and both come as 304 to who has them", () =>
  withApp({ connect: false }, async (app) => {
    const get = (name: string, headers = {}) =>
      router(app).fetch(new Request(`http://localhost/docs/guide/${name}`, { headers }));
    const style = await get(Object.keys(guideFiles()).find((name) => name.endsWith(".css"))!);
    assert.match(style.headers.get("cache-control") ?? "", /immutable/);
    const page = await get("cli.html");
    assert.equal(page.headers.get("cache-control"), "no-cache");
    assert.equal((await get("cli.html", { "if-none-match": page.headers.get("etag") ?? "" })).status, 304);
  }));

test("each section of a page has its heading, its anchor and its text", () => {
  const sections = guideSections();
  const found = sections.find(({ page, anchor }) => page === "troubleshooting" && anchor === "server_failing");
  assert.match(found?.text ?? "", /proxy upstream logs/);
  assert.equal(sections.filter(({ page, anchor }) => page === "index" && anchor === "").length, 1);
  assert.ok(sections.length > 400);
});

test("the static site has the same pages, the pictures and the API reference, and no link that leads nowhere", (t) => {
  const out = join(folder(t), "site");
  const made = spawnSync(process.execPath, ["build/site/site.mjs", "--out", out], { encoding: "utf8" });
  assert.equal(made.status, 0, made.stderr);

  const names = readdirSync(out, { recursive: true, encoding: "utf8" }).map((name) => name.replaceAll("\\", "/"));
  assert.deepEqual(names.filter((name) => name.endsWith(".html")).sort(), [...pages, "api/index.html"].sort());
  assert.ok(names.includes("overview.png") && names.includes("api/swagger-ui.js"));
  checkLinks(pages, (name) => (existsSync(join(out, name)) ? readFileSync(join(out, name), "utf8") : undefined));
  assert.doesNotMatch(readFileSync(join(out, "api/start.js"), "utf8"), /spec\.servers/);
});
