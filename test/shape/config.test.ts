import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { configKeys } from "#lib/core/config/config-keys.ts";
import { modules } from "#lib/modules/modules.gen.ts";

test("every key that a module declares is a key of the configuration, and has one owner", () => {
  const known = configKeys().map(({ key }) => key as string);
  const declared = modules.flatMap(({ config = {} }) => Object.keys(config));

  assert.ok(declared.length > 10);
  assert.equal(new Set(known).size, known.length);
  assert.deepEqual(
    declared.filter((key) => !known.includes(key)),
    [],
  );
});

test("commands read a configuration by lib/read-config.ts alone, which knows the keys of the modules", () => {
  const READERS =
    /^(?!import type).*"#lib\/core\/config\/(?:check|config|configuration-page|document|draft|env-overrides|offline|open-config|settings|unknown-key)\.ts"/m;
  const commands = readdirSync("cli", { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));

  const readers = commands.filter((file) => READERS.test(readFileSync(join("cli", file), "utf8")));

  assert.deepEqual(readers, []);
});
