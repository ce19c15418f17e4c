import assert from "node:assert/strict";
import { test } from "node:test";
import { annotationExclusion } from "#lib/core/policy/annotation-exclusion.ts";
import { judge } from "#lib/core/policy/judge.ts";
import type { AnnotationPolicy } from "#lib/core/schema/annotation-policy.ts";
import { FULL_SCOPE } from "#lib/core/schema/caller.ts";
import type { ToolAnnotations } from "#lib/core/schema/mcp.ts";
import { seen } from "#test/kit/snapshot.ts";
import { verifies } from "#test/kit/verifies.ts";

const HINT = {
  read_only_only: "readOnlyHint",
  exclude_destructive: "destructiveHint",
  exclude_open_world: "openWorldHint",
} as const;
const PASSES = { read_only_only: true, exclude_destructive: false, exclude_open_world: false };
const FILTERS = ["read_only_only", "exclude_destructive", "exclude_open_world"] as const;

verifies(
  ["rest.preflight.policy", "rest.reason.missing-annotation", "rest.reason.policy-filtered"],
  "filters are asked in their order, the first that leaves out owns the verdict, and silence passes none",
  () => {
    const values = [undefined, true, false];
    for (const a of values)
      for (const b of values)
        for (const c of values)
          for (let on = 0; on < 8; on++) {
            const said = [a, b, c];
            const annotations: ToolAnnotations = {};
            for (const [i, filter] of FILTERS.entries()) if (said[i] !== undefined) annotations[HINT[filter]] = said[i];
            const policy: AnnotationPolicy = Object.fromEntries(FILTERS.map((f, i) => [f, (on & (1 << i)) !== 0]));
            const first = FILTERS.find((f, i) => policy[f] && said[i] !== PASSES[f]);

            const got = annotationExclusion(policy, annotations);

            assert.deepEqual(
              got,
              first && { filter: first, hint: HINT[first], missing: annotations[HINT[first]] === undefined },
              JSON.stringify({ policy, annotations }),
            );
          }
  },
);

verifies("rest.reason.missing-annotation", "a hint that is no boolean counts as missing", () => {
  // What a careless server sends.
  const annotations = { readOnlyHint: "true" } as unknown as ToolAnnotations;

  assert.deepEqual(annotationExclusion({ read_only_only: true }, annotations), {
    filter: "read_only_only",
    hint: "readOnlyHint",
    missing: true,
  });
  assert.equal(annotationExclusion({ read_only_only: true }, undefined)?.missing, true);
});

test("a read-only tool that says nothing of destruction is told why exclude_destructive leaves it out, and what mends it", () => {
  const snapshot = seen({ tool: { annotations: { readOnlyHint: true } } });
  const verdict = judge(snapshot, { scope: FULL_SCOPE, connection: true, policy: { exclude_destructive: true } });

  assert.ok(!verdict.ready);
  assert.equal(verdict.reason, "missing_annotation");
  assert.match(verdict.detail, /readOnlyHint true does not count for this filter: use read_only_only instead/);
});
