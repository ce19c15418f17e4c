import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { test } from "node:test";

/** The rooms of the core in their order: each imports only the rooms before it (docs/architecture.md). */
const ROOMS = [
  "base",
  "schema",
  "log",
  "events",
  "policy",
  "secrets",
  "store",
  "config",
  "catalog",
  "upstream",
  "app.ts",
  "gateway",
  "verbs",
  "api",
  "mcp",
];

/** Imports that are still to be removed. */
const PENDING: readonly string[] = [
  "core/api/door.ts -> modules/team/bearer.ts",
  "core/api/door.ts -> modules/team/user-session.ts",
  "core/api/rest.ts -> modules/audit/entries.ts",
  "core/app.ts -> core/api/idempotency.ts",
  "core/app.ts -> core/api/jobs.ts",
  "core/app.ts -> modules/audit/audit.ts",
  "core/app.ts -> modules/code/sandbox/sandbox.ts",
  "core/app.ts -> modules/isolation/container/engine.ts",
  "core/app.ts -> modules/oauth/oauth.ts",
  "core/app.ts -> modules/update/updates.ts",
  "core/catalog/catalog.ts -> modules/scan/rules/scan.ts",
  "core/catalog/create.ts -> modules/scan/rules/scan.ts",
  "core/catalog/neighbours.ts -> modules/scan/rules/alike.ts",
  "core/catalog/scans.ts -> modules/scan/rules/cross.ts",
  "core/catalog/scans.ts -> modules/scan/rules/scan.ts",
  "core/catalog/server-scans.ts -> modules/scan/rules/scan.ts",
  "core/config/sensitive.ts -> modules/detect/invisible.ts",
  "core/config/sensitive.ts -> modules/detect/rules.ts",
  "core/gateway/analyse.ts -> modules/scan/rules/scan.ts",
  "core/gateway/call.ts -> modules/team/credentials.ts",
  "core/gateway/decided.ts -> modules/audit/entries.ts",
  "core/gateway/guard.ts -> modules/detect/slices.ts",
  "core/gateway/guard.ts -> modules/detect/sweep.ts",
  "core/gateway/guard.ts -> modules/detect/treat.ts",
  "core/gateway/inspect.ts -> modules/detect/rules.ts",
  "core/gateway/inspect.ts -> modules/detect/scan.ts",
  "core/gateway/inspect.ts -> modules/detect/slices.ts",
  "core/gateway/inspect.ts -> modules/detect/sweep.ts",
  "core/gateway/record.ts -> modules/audit/entries.ts",
  "core/gateway/review.ts -> modules/scan/rules/scan.ts",
  "core/gateway/snapshot.ts -> modules/lock/enforce.ts",
  "core/gateway/snapshot.ts -> modules/team/credentials.ts",
  "core/gateway/snapshot.ts -> modules/team/own-state.ts",
  "core/upstream/create.ts -> modules/isolation/container/engine.ts",
  "core/upstream/create.ts -> modules/oauth/oauth.ts",
  "core/upstream/guard.ts -> modules/isolation/container/place.ts",
  "core/upstream/isolation.ts -> modules/isolation/plan.ts",
  "core/upstream/surroundings.ts -> modules/oauth/oauth.ts",
  "core/upstream/target.ts -> modules/oauth/settings.ts",
  "core/verbs/servers/forget.ts -> modules/scan/integrity.ts",
  "core/verbs/servers/isolation-defaults.ts -> modules/isolation/plan.ts",
  "core/verbs/servers/record.ts -> modules/scan/standing.ts",
  "core/verbs/servers/record.ts -> modules/team/own-state.ts",
  "core/verbs/servers/stats.ts -> modules/team/own-state.ts",
  "core/verbs/tokens/caller-now.ts -> modules/team/caller.ts",
  "core/verbs/tokens/scope.ts -> modules/team/scope.ts",
  "core/verbs/tokens/verify.ts -> modules/team/edition.ts",
];

/** Comments stripped, so that prose about imports does not count. */
const imports = (file: string) =>
  [...readFileSync(file, "utf8").matchAll(/^\s*(?:import|export)[^;]*? from "([^"]+)"|import\("([^"]+)"\)/gm)].map(
    (m) => (m[1] ?? m[2])!,
  );

const sources = (folder: string) =>
  readdirSync(folder, { recursive: true })
    .map((f) => String(f).replaceAll("\\", "/"))
    .filter((f) => /\.tsx?$/.test(f));

const all = sources("lib").map((file) => ({ file, place: placeOf(file) }));

interface Place {
  part: "core" | "sqlite" | "modules" | "program";
  /** Room of the core or name of the module. */
  room: string;
}

/** Where a file of `lib` belongs: the program around the core is `create-app.ts`, `client` and `daemon`. */
function placeOf(file: string): Place {
  const [part = "", room = ""] = file.split("/");
  if (part === "core" || part === "modules" || part === "sqlite") return { part, room };
  return { part: "program", room: part };
}

const importsOf = (file: string) =>
  imports(`lib/${file}`)
    .filter((to) => to.startsWith("."))
    .map((to) => relative("lib", join("lib", dirname(file), to)).replaceAll("\\", "/"));

test("every folder of the core is a room of the fixed order", () => {
  for (const { file, place } of all)
    if (place.part === "core") assert.ok(ROOMS.includes(place.room), `lib/${file} is in no room`);
});

test("lib imports nothing of handlers or cli, and its own files by relative paths", () => {
  for (const { file } of all)
    for (const to of imports(`lib/${file}`)) {
      assert.ok(!to.startsWith("#"), `lib/${file} imports ${to}; inside lib imports are relative`);
      if (!to.startsWith(".")) continue;
      assert.ok(
        !relative("lib", join("lib", dirname(file), to)).startsWith(".."),
        `lib/${file} reaches outside: ${to}`,
      );
    }
});

test("rooms of the core import only the rooms before them", () => {
  for (const { file, place } of all) {
    if (place.part !== "core") continue;
    for (const to of importsOf(file)) {
      const target = placeOf(to);
      if (target.part !== "core") continue;
      assert.ok(
        ROOMS.indexOf(target.room) <= ROOMS.indexOf(place.room) || PENDING.includes(`${file} -> ${to}`),
        `lib/${file} imports lib/${to}, of a later room`,
      );
    }
  }
});

test("the core imports no module, and modules import no part of the program around them", () => {
  for (const { file, place } of all)
    for (const to of importsOf(file)) {
      const { part } = placeOf(to);
      if (place.part === "core")
        assert.ok(
          part === "core" || part === "sqlite" || PENDING.includes(`${file} -> ${to}`),
          `lib/${file} imports lib/${to}`,
        );
      if (place.part === "modules") assert.ok(part !== "program", `lib/${file} imports lib/${to}`);
      if (place.part === "sqlite")
        assert.ok(part === "sqlite" || to.startsWith("core/base/"), `lib/${file} imports lib/${to}`);
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
const SHARED_WORDING = ["#lib/core/verbs/activity/wording.ts", "#lib/modules/scan/rules/verdict-text.ts"];

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
