import * as v from "valibot";
import type { Caller } from "../../../core/schema/caller.ts";

const MAX_NAMES = 100_000;
const names = v.union([v.literal("all"), v.pipe(v.array(v.string()), v.maxLength(MAX_NAMES))]);

/** A caller as one replica sends it to another. Only replicas can send it, and the receiver checks its rights again. */
const HopCaller = v.strictObject({
  tier: v.picklist(["admin", "agent", "user", "anonymous"]),
  name: v.string(),
  listener: v.picklist(["tcp", "socket", "stdio", "internal"]),
  scope: v.strictObject({
    servers: names,
    permissions: v.union([v.literal("all"), v.array(v.picklist(["read", "write", "destructive"]))]),
    profile: v.exactOptional(v.string()),
  }),
  remote: v.exactOptional(v.literal(true)),
  user: v.exactOptional(
    v.strictObject({
      id: v.string(),
      email: v.string(),
      by: v.picklist(["session", "bearer", "token"]),
      session: v.exactOptional(v.string()),
      signedInAt: v.number(),
      issuedAt: v.number(),
      until: v.number(),
    }),
  ),
  signIn: v.exactOptional(v.string()),
});

/** Returns plain data for a caller. Members that are not part of a caller are left out. */
export function encodeCaller(caller: Caller): v.InferOutput<typeof HopCaller> {
  const { tier, name, listener, scope, remote, user, signIn } = caller;
  const { servers, permissions, profile } = scope;
  return {
    tier,
    name,
    listener,
    scope: {
      servers: servers === "all" ? "all" : [...servers],
      permissions: permissions === "all" ? "all" : [...permissions],
      ...(profile !== undefined && { profile }),
    },
    ...(remote && { remote }),
    ...(user && { user: { ...user } }),
    ...(signIn !== undefined && { signIn }),
  };
}

/** @throws ValiError if the data is not that of a caller */
export function decodeCaller(data: unknown): Caller {
  const { scope, ...caller } = v.parse(HopCaller, data);
  const { servers, permissions, profile } = scope;
  return {
    ...caller,
    scope: {
      servers: servers === "all" ? "all" : new Set(servers),
      permissions: permissions === "all" ? "all" : new Set(permissions),
      ...(profile !== undefined && { profile }),
    },
  };
}
