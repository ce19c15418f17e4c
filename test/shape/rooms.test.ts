import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { test } from "node:test";
import { modules } from "#lib/modules/modules.gen.ts";

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
  "extension",
  "gateway",
  "verbs",
  "api",
  "mcp",
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
        ROOMS.indexOf(target.room) <= ROOMS.indexOf(place.room),
        `lib/${file} imports lib/${to}, of a later room`,
      );
    }
  }
});

test("the core imports no module, and modules import no part of the program around them", () => {
  for (const { file, place } of all)
    for (const to of importsOf(file)) {
      const { part } = placeOf(to);
      if (place.part === "core") assert.ok(part === "core" || part === "sqlite", `lib/${file} imports lib/${to}`);
      if (place.part === "modules") assert.ok(part !== "program", `lib/${file} imports lib/${to}`);
      if (place.part === "sqlite")
        assert.ok(part === "sqlite" || to.startsWith("core/base/"), `lib/${file} imports lib/${to}`);
    }
});

test("a module imports another one only if its `needs` names it, and names none that it does not import", () => {
  const imported = new Map(modules.map(({ name }) => [name, new Set<string>()]));
  for (const { file, place } of all) {
    if (place.part !== "modules" || place.room.endsWith(".ts")) continue;
    for (const to of importsOf(file)) {
      const target = placeOf(to);
      if (target.part === "modules" && target.room !== place.room) imported.get(place.room)!.add(target.room);
    }
  }
  for (const { name, needs = [] } of modules) assert.deepEqual([...imported.get(name)!].sort(), [...needs], name);
});

test("no file of lib imports itself through others, types included", () => {
  const open = new Set<string>();
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): void => {
    assert.ok(!open.has(file), `a circle of imports: ${[...path.slice(path.indexOf(file)), file].join(" → ")}`);
    if (done.has(file)) return;
    open.add(file);
    for (const to of importsOf(file)) visit(to, [...path, file]);
    open.delete(file);
    done.add(file);
  };
  for (const { file } of all) visit(file, []);
});

test("every folder of lib/modules is a registered module", () => {
  const folders = readdirSync("lib/modules", { withFileTypes: true }).filter((entry) => entry.isDirectory());
  assert.deepEqual(
    modules.map(({ name }) => name),
    folders.map(({ name }) => name).sort(),
  );
});

test("modules need each other without circles", () => {
  const needs = new Map(modules.map((one) => [one.name, one.needs ?? []]));
  const visit = (name: string, path: readonly string[]): void => {
    assert.ok(!path.includes(name), `${[...path, name].join(" needs ")}`);
    for (const next of needs.get(name)!) visit(next, [...path, name]);
  };
  for (const name of needs.keys()) visit(name, []);
});

test("the App has at most twelve members, and nothing hides state behind it or its parts", () => {
  const text = readFileSync("lib/core/app.ts", "utf8");
  const members = /export interface App \{\n(.*?)\n\}/s.exec(text)![1]!.match(/^ {2}(?:readonly )?\w+[(<:]/gm)!;
  assert.ok(members.length > 5 && members.length <= 12, `${members.length} members`);
  for (const { file } of all)
    assert.doesNotMatch(readFileSync(`lib/${file}`, "utf8"), /WeakMap<App\b/, `lib/${file} keeps state by the App`);
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

/** Wording and plain functions that the panel shares with the command line; such a file itself takes types alone. */
const SHARED = [
  "#lib/client/setup/import-requests.ts",
  "#lib/client/setup/movable-entries.ts",
  "#lib/client/setup/package-name.ts",
  "#lib/client/setup/survey-remarks.ts",
  "#lib/core/schema/server-config-fields.ts",
  "#lib/core/verbs/activity/activity-text.ts",
  "#lib/modules/scan/rules/verdict-text.ts",
];

test("the panel takes nothing of the program but its types, and what it shares with the command line", () => {
  for (const file of SHARED)
    assert.doesNotMatch(readFileSync(file.slice(1), "utf8"), /^import (?!type )/m, `${file} imports more than types`);
  const files = sources(`handlers/${PANEL}`);
  assert.ok(files.length > 10);
  for (const file of files) {
    const text = readFileSync(`handlers/${PANEL}${file}`, "utf8").replaceAll(/^import type [^;]*;/gm, "");
    for (const [, to] of text.matchAll(/ from "(#[^"]+)"|import\("(#[^"]+)"\)/g))
      assert.ok(to && SHARED.includes(to), `${file} imports ${to}`);
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
