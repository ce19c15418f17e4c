import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { test } from "node:test";

/** Lowest first; a folder may import its own floor or any below (docs/architecture.md). */
const FLOORS = [
  ["base"],
  ["shape"],
  ["redact", "gate", "sensitive", "scan", "json-schema"],
  [
    "config",
    "store",
    "secrets",
    "log",
    "events",
    "dial",
    "oauth",
    "catalog",
    "vm",
    "container",
    "isolation",
    "audit",
    "update",
    "upstream",
    "jobs",
    "idempotency",
  ],
  ["app.ts"],
  [
    "servers",
    "tools",
    "call",
    "activity",
    "sessions",
    "feed",
    "doctor",
    "code",
    "tokens",
    "settings",
    "vault",
    "profiles",
    "registry",
    "connect",
    "tls",
    "import",
    "login",
    "team",
    "scanner",
    "lock",
  ],
  ["create-app.ts"],
  ["auth", "http", "mcp", "client", "daemon", "demo"],
];
const floor = (file: string) => FLOORS.findIndex((f) => f.includes(file.split("/")[0]!));

/** Comments stripped, so that prose about imports does not count. */
const imports = (file: string) =>
  [...readFileSync(file, "utf8").matchAll(/^\s*(?:import|export)[^;]*? from "([^"]+)"|import\("([^"]+)"\)/gm)].map(
    (m) => (m[1] ?? m[2])!,
  );

const sources = (folder: string) =>
  readdirSync(folder, { recursive: true })
    .map((f) => String(f).replaceAll("\\", "/"))
    .filter((f) => /\.tsx?$/.test(f));

test("every folder of lib has its floor", () => {
  for (const file of sources("lib")) assert.ok(floor(file) >= 0, `lib/${file} stands on no floor`);
});

test("lib imports never point up, nor at handlers or cli", () => {
  for (const file of sources("lib"))
    for (const to of imports(`lib/${file}`)) {
      assert.ok(!to.startsWith("#"), `lib/${file} imports ${to}; inside lib imports are relative`);
      if (!to.startsWith(".")) continue;
      const target = relative("lib", join("lib", dirname(file), to));
      assert.ok(!target.startsWith(".."), `lib/${file} reaches outside lib: ${to}`);
      // The context type names every member, so whoever is named by it may name it as a type only.
      assert.ok(floor(target) <= floor(file), `lib/${file} reaches up to lib/${target}`);
    }
});

test("handlers import lib only, and no other handler but the router", () => {
  for (const file of sources("handlers")) {
    if (file === "router.ts" || file.endsWith(".gen.ts") || file.startsWith(PANEL)) continue;
    for (const to of imports(`handlers/${file}`))
      assert.ok(
        !to.startsWith(".") && !to.startsWith("#handlers") && !to.startsWith("#cli"),
        `handlers/${file} imports ${to}`,
      );
  }
});

/** What browsers run; it stands beside the endpoints that serve it. */
const PANEL = "ui/panel/";

/** Wording that the panel shares with the command line; such a file itself takes types alone. */
const SHARED_WORDING = ["#lib/activity/wording.ts", "#lib/scan/verdict-text.ts"];

test("the panel takes nothing of the program but its types and shared wording", () => {
  for (const file of SHARED_WORDING)
    assert.doesNotMatch(readFileSync(file.slice(1), "utf8"), /^import (?!type )/m, `${file} imports more than types`);
  const files = sources(`handlers/${PANEL}`);
  assert.ok(files.length > 10);
  for (const file of files) {
    const text = readFileSync(`handlers/${PANEL}${file}`, "utf8").replaceAll(/^import type [^;]*;/gm, "");
    for (const [, to] of text.matchAll(/ from "(#[^"]+)"|import\("(#[^"]+)"\)/g))
      assert.ok(to && SHARED_WORDING.includes(to), `${file} imports ${to}`);
    for (const to of imports(`handlers/${PANEL}${file}`))
      if (to.startsWith("."))
        assert.ok(!relative("", join(dirname(file), to)).startsWith(".."), `${file} reaches outside the panel: ${to}`);
  }
});

test("every relative import exists", () => {
  for (const folder of ["lib", "handlers", "cli"])
    for (const file of existsSync(folder) ? sources(folder) : [])
      for (const to of imports(`${folder}/${file}`))
        if (to.startsWith(".")) assert.ok(existsSync(join(folder, dirname(file), to)), `${folder}/${file}: ${to}`);
});
