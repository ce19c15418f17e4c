import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { has } from "#test/kit/machine.ts";
import { named, noPackages, packages, sha256, version } from "./made.ts";

test("sums, formula and bill of materials name what was made", { skip: noPackages }, () => {
  const sums = readFileSync(join(packages, "SHA256SUMS"), "utf8").trim().split("\n");
  const formula = readFileSync(join(packages, "proxy.rb"), "utf8");
  const bill = JSON.parse(readFileSync(join(packages, `proxy-${version}.cdx.json`), "utf8"));
  const purls = bill.components.map((c: { purl?: string }) => c.purl ?? "");

  for (const line of sums) assert.equal(sha256(join(packages, line.slice(66))), line.slice(0, 64), line);
  assert.ok(formula.includes(`sha256 "${sha256(join(packages, named(".tar.gz")))}"`));
  if (has("ruby")) assert.equal(spawnSync("ruby", ["-c", join(packages, "proxy.rb")]).status, 0);
  for (const wanted of ["pkg:npm/hono@", "pkg:npm/sql.js@", "pkg:npm/node-linux-", "pkg:npm/%40napi-rs/keyring-linux-"])
    assert.ok(
      purls.some((purl: string) => purl.startsWith(wanted)),
      wanted,
    );
  for (const gone of ["pkg:npm/esbuild@", "pkg:npm/express@"])
    assert.ok(!purls.some((purl: string) => purl.startsWith(gone)), gone);
  for (const c of bill.components)
    assert.ok(c.hashes?.[0]?.content.length >= 64 && (c.type === "file" || c.licenses), c["bom-ref"]);
});
