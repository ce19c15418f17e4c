import assert from "node:assert/strict";
import { test } from "node:test";
import { inScope, mayUse, narrowScope } from "#lib/core/policy/scope.ts";
import { FULL_SCOPE, type Permission, type Scope } from "#lib/core/schema/caller.ts";

const SOME: Scope = { servers: new Set(["git"]), permissions: new Set<Permission>(["read"]) };

test("a scope reaches the servers it names, and `all` reaches every one (spec 000 §5)", () => {
  assert.ok(inScope(FULL_SCOPE, "git"));
  assert.ok(inScope(SOME, "git"));
  assert.ok(!inScope(SOME, "Git"));
  assert.ok(!inScope({ ...SOME, servers: new Set() }, "git"));
});

test("a permission is granted by itself", () => {
  assert.ok(mayUse(FULL_SCOPE, "destructive"));
  assert.ok(mayUse(SOME, "read"));
  assert.ok(!mayUse(SOME, "write"));
  assert.ok(!mayUse({ ...SOME, permissions: new Set<Permission>(["destructive"]) }, "read"));
});

test("a profile only ever shrinks a scope", () => {
  const profile = { name: "work", servers: ["git", "mail"] };

  assert.deepEqual(narrowScope(FULL_SCOPE, profile), {
    servers: new Set(["git", "mail"]),
    permissions: "all",
    profile: "work",
  });
  assert.deepEqual(narrowScope(SOME, profile), { ...SOME, profile: "work" });
});
