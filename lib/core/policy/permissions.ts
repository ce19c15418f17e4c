import type { Permission, Scope } from "../schema/caller.ts";
import type { ToolAnnotations } from "../schema/mcp.ts";
import type { CallVariant } from "../schema/tool.ts";
import { mayUse } from "./scope.ts";

/** The operation that each call variant declares. It is also the permission that the variant requires. */
export const OPERATION_OF: Readonly<Record<CallVariant, Permission>> = {
  call_tool_read: "read",
  call_tool_write: "write",
  call_tool_destructive: "destructive",
};

/**
 * Returns the permissions that calling a tool requires, by whatever way it is called. According to MCP, a tool without
 * annotations is not read-only and is destructive, so a tool that declares neither requires both `write` and
 * `destructive`.
 */
export function permissionsFor(annotations: ToolAnnotations | undefined): readonly Permission[] {
  if (annotations?.destructiveHint === true) return ["destructive"];
  if (annotations?.readOnlyHint === true) return ["read"];
  return annotations?.destructiveHint === false ? ["write"] : ["write", "destructive"];
}

/**
 * Returns the permissions that a scope lacks for a call. A call variant requires its own permission in addition to
 * those of the tool and replaces none of them, because the caller chooses the variant.
 */
export function missingPermissions(
  scope: Scope,
  annotations: ToolAnnotations | undefined,
  variant?: CallVariant,
): Permission[] {
  if (scope.permissions === "all") return [];
  const needed = new Set(permissionsFor(annotations));
  if (variant) needed.add(OPERATION_OF[variant]);
  return [...needed].filter((permission) => !mayUse(scope, permission));
}
