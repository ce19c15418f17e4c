import { callWith, OPERATION_OF } from "../gate/intent.ts";
import { mayUse, permissionFor } from "../gate/scope.ts";
import type { Permission, Scope } from "../shape/caller.ts";
import type { ToolAnnotations } from "../shape/mcp.ts";
import type { CallVariant } from "../shape/tool.ts";

const RANK: Record<Permission, number> = { read: 0, write: 1, destructive: 2 };

/**
 * The permission a caller lacks for a call, if any. A variant says what it takes; a tool whose server declares more
 * than the variant takes that as well, so that a mild variant is no way around a scope.
 */
export function lacking(
  scope: Scope,
  variant: CallVariant | undefined,
  annotations: ToolAnnotations | undefined,
): Permission | undefined {
  if (scope.permissions === "all") return undefined;
  const first = variant ? OPERATION_OF[variant] : permissionFor(annotations);
  if (!mayUse(scope, first)) return first;
  const declared = OPERATION_OF[callWith(annotations)];
  return RANK[declared] > RANK[first] && !mayUse(scope, declared) ? declared : undefined;
}
