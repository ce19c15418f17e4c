import type { Permission } from "#lib/core/schema/caller.ts";
import type { ToolAnnotations } from "#lib/core/schema/mcp.ts";
import type { CallVariant } from "#lib/core/schema/tool.ts";

export const CALL_VARIANTS: readonly CallVariant[] = ["call_tool_read", "call_tool_write", "call_tool_destructive"];

/** All sets of permissions, including the empty one. */
export const PERMISSION_SETS: readonly Permission[][] = [0, 1, 2, 3, 4, 5, 6, 7].map((bits) =>
  (["read", "write", "destructive"] as const).filter((_, i) => bits & (1 << i)),
);

/** Tools by name with all combinations of the two hints, and one without annotations. */
export const ANNOTATIONS: Readonly<Record<string, ToolAnnotations | undefined>> = Object.fromEntries([
  ["absent", undefined],
  ...[undefined, true, false].flatMap((readOnlyHint) =>
    [undefined, true, false].map((destructiveHint) => [
      `read_${readOnlyHint ?? "unsaid"}_destroy_${destructiveHint ?? "unsaid"}`,
      {
        ...(readOnlyHint !== undefined && { readOnlyHint }),
        ...(destructiveHint !== undefined && { destructiveHint }),
      },
    ]),
  ),
]);
