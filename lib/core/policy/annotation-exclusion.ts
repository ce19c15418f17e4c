import type { AnnotationPolicy } from "../schema/annotation-policy.ts";
import type { ToolAnnotations } from "../schema/mcp.ts";

/** Why a tool was excluded: the filter, and the annotation that failed it. */
interface AnnotationExclusion {
  readonly filter: keyof AnnotationPolicy;
  readonly hint: "readOnlyHint" | "destructiveHint" | "openWorldHint";
  readonly missing: boolean;
}

/** `[filter, hint, the only value that passes]`. */
const FILTERS = [
  ["read_only_only", "readOnlyHint", true],
  ["exclude_destructive", "destructiveHint", false],
  ["exclude_open_world", "openWorldHint", false],
] as const;

/**
 * Returns the first filter that excludes a tool. If the annotation of a filter is absent or not a boolean, the filter
 * excludes the tool: a tool without annotations is not assumed to be harmless.
 */
export function annotationExclusion(
  policy: AnnotationPolicy,
  annotations: ToolAnnotations | undefined,
): AnnotationExclusion | undefined {
  for (const [filter, hint, expected] of FILTERS) {
    if (policy[filter] !== true) continue;
    const value: unknown = annotations?.[hint];
    if (value !== expected) return { filter, hint, missing: typeof value !== "boolean" };
  }
  return undefined;
}
