import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

interface Locked {
  version?: string;
  resolved?: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}
const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as { packages: Record<string, Locked> };

test("the lock holds every dependency of every package, other platforms' binaries included, or npm ci refuses", () => {
  for (const [at, { dependencies, optionalDependencies }] of Object.entries(packages))
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies }))
      assert.ok(found(at, name), `${at || "package.json"} needs ${name}, which package-lock.json lacks`);
});

test("the lock names no registry", () => {
  for (const [at, { resolved }] of Object.entries(packages)) assert.equal(resolved, undefined, at);
});

/** As Node looks a package up: beside the one that asks, then further out. */
function found(from: string, name: string): boolean {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf("/node_modules/")))) {
    if (packages[`${at ? `${at}/` : ""}node_modules/${name}`]) return true;
    if (!at.includes("/node_modules/")) return packages[`node_modules/${name}`] !== undefined;
  }
}
