import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

/**
 * Interfaces with members in snake_case outside lib/core/schema. Such a member belongs to a record that somebody reads,
 * and a record has one schema, whose type is `InferOutput` of it. New ones go to lib/core/schema.
 */
const BESIDE_A_SCHEMA: Readonly<Record<string, readonly string[]>> = {
  // Formats of others, and of our own files.
  "sqlite/wasm.ts": ["Api"], // functions of SQLite
  "modules/oauth/credentials.ts": ["Authority", "Client", "Tokens", "Pending", "Credentials"], // kept in the vault
  "modules/scan/rules/sarif.ts": ["Told"], // SARIF
  "modules/scan/files.ts": ["Kept"],
  "core/base/list-page.ts": ["ListPage"],
  // Answers whose schema still stands in the file of their endpoint, and parts of the configuration.
  "core/config/child-environment.ts": ["Inheritance"],
  "core/gateway/check-arguments.ts": ["ArgumentsNote"],
  "core/gateway/review-notice.ts": ["ReviewNotice", "Analysis"],
  "core/policy/annotation-policy.ts": ["AnnotationPolicy"],
  "core/policy/grant.ts": ["AccessGrants"],
  "core/policy/intent.ts": ["CallIntent", "Given"],
  "core/store/recover.ts": ["Recovery"],
  "core/store/salvage.ts": ["TableCondition"],
  "core/verbs/activity/list.ts": ["ActivityList"],
  "core/verbs/activity/timeline.ts": ["TimelineSlot"],
  "core/verbs/servers/review-counts.ts": ["ReviewCounts"],
  "core/verbs/servers/stats.ts": ["ServersStats", "ServerStats"],
  "core/verbs/settings/config-versions.ts": ["ConfigVersionEntry"],
  "core/verbs/settings/show.ts": ["ShownSettings"],
  "core/verbs/tools/describe.ts": ["DescribedTool"],
  "core/verbs/tools/flagged-tools.ts": ["FlaggedTool"],
  "core/verbs/tools/hidden-counts.ts": ["HiddenCounts"],
  "core/verbs/tools/overview.ts": ["ToolsOverview"],
  "core/verbs/tools/preflight.ts": ["Preflight"],
  "core/verbs/tools/search.ts": ["ToolSearch"],
  "core/verbs/tools/verdicts.ts": ["ToolVerdict"],
  "modules/audit/create.ts": ["Found"],
  "modules/audit/file.ts": ["Retention"],
  "modules/audit/sink.ts": ["SinkFacts"],
  "modules/detect/rules.ts": ["RuleSettings"],
  "modules/lock/verify.ts": ["Verified"],
  "modules/oauth/diagnostics.ts": ["Diagnostics", "Look"],
  "modules/scan/integrity.ts": ["Integrity", "Baseline"],
  "modules/scan/scanners.ts": ["ScannerChange"],
  "modules/team/sessions.ts": ["SessionListing"],
  "modules/update/check.ts": ["Verdict"],
  "modules/update/delta.ts": ["Delta"],
  "modules/update/policy.ts": ["UpdatePolicy"],
  "modules/vault/to-secret.ts": ["ToSecret"],
};

test("no interface outside lib/core/schema has members in snake_case, but for what is listed here", () => {
  const found: Record<string, string[]> = {};
  for (const name of readdirSync("lib", { recursive: true, encoding: "utf8" })) {
    const file = name.replaceAll("\\", "/");
    if (!/\.tsx?$/.test(file) || file.endsWith(".gen.ts") || file.startsWith("core/schema/")) continue;
    const names = snakeCaseInterfaces(readFileSync(`lib/${file}`, "utf8"));
    if (names.length > 0) found[file] = names;
  }

  assert.deepEqual(found, BESIDE_A_SCHEMA);
});

test("an interface with a member in snake_case is found, one without is not", () => {
  const source =
    "interface Kept {\n  readonly job_id: string;\n}\n\nexport type Row = {\n  total_count?: number;\n};\n";

  assert.deepEqual(snakeCaseInterfaces(source), ["Kept", "Row"]);
  assert.deepEqual(snakeCaseInterfaces("interface Kept {\n  jobId: string;\n}\n"), []);
});

function snakeCaseInterfaces(source: string): string[] {
  return [...source.matchAll(/^(?:export )?(?:interface (\w+)[^{\n]*|type (\w+) = )\{\n(.*?)^\}/gms)]
    .filter(([, , , body]) => /^ {2}(?:readonly )?[a-z0-9]+(?:_[a-z0-9]+)+\??:/m.test(body!))
    .map(([, name, alias]) => (name ?? alias)!);
}
