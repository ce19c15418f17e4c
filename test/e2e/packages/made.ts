import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { noCopy } from "#test/kit/machine.ts";

/** Made by the test runner for this machine, or why not. */
const { PROXY_PACKAGES: made, PROXY_NO_EXECUTABLE: missing } = process.env;

export const packages = made ?? "";
export const noPackages = made ? false : `no packages: ${missing ?? "run this test with npm test, on Linux"}`;
/** For what installs them in a copy of the machine. */
export const notHere = noPackages || noCopy();

export const target = `${process.platform}-${process.arch}`;
export const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };

/** The one package whose name ends so. */
export const named = (end: string) => readdirSync(packages).find((name) => name.endsWith(end)) ?? "";
export const sha256 = (path: string) => createHash("sha256").update(readFileSync(path)).digest("hex");

/** A later version to upgrade to; its program only says so. */
export function later(kind: "deb" | "rpm", into: string): void {
  const code = `
    import { writeFileSync } from "node:fs";
    import { ${kind} } from ${JSON.stringify(resolve(`build/package/${kind}.mjs`))};
    import { pages } from ${JSON.stringify(resolve("build/package/tree.mjs"))};
    const { bytes } = await ${kind}(${JSON.stringify(target)}, Buffer.from("#!/bin/sh\\necho later\\n"), await pages());
    writeFileSync(${JSON.stringify(join(into, `later.${kind}`))}, bytes);`;
  const ran = spawnSync(process.execPath, ["--input-type=module", "--eval", code], {
    encoding: "utf8",
    env: { ...process.env, PROXY_PACKAGE_VERSION: "99.0.0" },
  });
  assert.equal(ran.status, 0, ran.stderr);
}
