import assert from "node:assert/strict";
import { test } from "node:test";
import { callVariantFor } from "#lib/core/policy/intent.ts";
import { missingPermissions, permissionsFor } from "#lib/core/policy/permissions.ts";
import { FULL_SCOPE, type Permission } from "#lib/core/schema/caller.ts";
import { CALL_VARIANTS } from "#test/kit/permissions.ts";

test("a tool takes the permissions that its annotations say, and those of MCP's defaults when they say nothing", () => {
  const rows = [
    [undefined, ["write", "destructive"]],
    [{}, ["write", "destructive"]],
    [{ readOnlyHint: true }, ["read"]],
    [{ readOnlyHint: false }, ["write", "destructive"]],
    [{ destructiveHint: false }, ["write"]],
    [{ readOnlyHint: false, destructiveHint: false }, ["write"]],
    [{ readOnlyHint: true, destructiveHint: false }, ["read"]],
    [{ destructiveHint: true }, ["destructive"]],
    [{ readOnlyHint: false, destructiveHint: true }, ["destructive"]],
    [{ readOnlyHint: true, destructiveHint: true }, ["destructive"]],
  ] as const;
  for (const [annotations, permissions] of rows)
    assert.deepEqual(permissionsFor(annotations), permissions, JSON.stringify(annotations));
});

test("a call variant adds its permission and removes none", () => {
  const may = (...permissions: Permission[]) => ({ ...FULL_SCOPE, permissions: new Set(permissions) });

  assert.deepEqual(missingPermissions(may("read"), {}, "call_tool_read"), ["write", "destructive"]);
  assert.deepEqual(missingPermissions(may("read"), { readOnlyHint: true }, "call_tool_write"), ["write"]);
  assert.deepEqual(missingPermissions(may("write"), { destructiveHint: false }, "call_tool_read"), ["read"]);
  for (const variant of [undefined, ...CALL_VARIANTS])
    assert.deepEqual(missingPermissions(FULL_SCOPE, undefined, variant), []);
});

test("call_with is the fitting variant, and one that succeeds where the caller may not use that", () => {
  assert.equal(callVariantFor({}, FULL_SCOPE), "call_tool_read");
  assert.equal(callVariantFor({ readOnlyHint: false }, FULL_SCOPE), "call_tool_write");
  assert.equal(callVariantFor({ destructiveHint: true }, FULL_SCOPE), "call_tool_destructive");
  assert.equal(
    callVariantFor({ destructiveHint: false }, { ...FULL_SCOPE, permissions: new Set<Permission>(["write"]) }),
    "call_tool_write",
  );
});
