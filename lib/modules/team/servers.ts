import type { App } from "../../core/app.ts";
import { Fault } from "../../core/base/fault.ts";
import { inScope } from "../../core/policy/scope.ts";
import type { Caller } from "../../core/schema/caller.ts";
import type { UserServer } from "../../core/schema/user-entry.ts";
import { serverRecord } from "../../core/verbs/servers/record.ts";
import { scopeOfUser } from "./scope.ts";
import { findUser } from "./users.ts";

/** The servers granted to a user, including those that the user disabled; always masked. */
export function userServers(app: App, caller: Caller): UserServer[] {
  const whole = wholeGrant(app, caller);
  return app.config
    .current()
    .mcpServers.filter(({ name }) => inScope(whole.scope, name))
    .map(({ name }) => userServer(app, name, whole));
}

/** @throws Fault server_not_found, also for a server that is not granted */
export function findUserServer(app: App, name: string, caller: Caller): UserServer {
  const whole = wholeGrant(app, caller);
  if (!app.config.server(name) || !inScope(whole.scope, name)) throw new Fault("server_not_found", { server: name });
  return userServer(app, name, whole);
}

/** Enables or disables a server for one user, without an effect on others. @throws Fault server_not_found */
export async function preferServer(app: App, name: string, enabled: boolean, caller: Caller): Promise<UserServer> {
  findUserServer(app, name, caller);
  await app.store.users.change(caller.user!.id, (user) => {
    const others = user?.off.filter((off) => off !== name) ?? [];
    return user && { ...user, off: enabled ? others : [...others, name] };
  });
  return findUserServer(app, name, caller);
}

/** The caller with all granted servers, without administrator rights. */
function wholeGrant(app: App, caller: Caller): Caller {
  const user = findUser(app, caller.user!.id);
  return { ...caller, tier: "user", scope: scopeOfUser(app.config.current(), { ...user, off: [] }) };
}

function userServer(app: App, name: string, caller: Caller): UserServer {
  const off = findUser(app, caller.user!.id).off.includes(name);
  return { ...serverRecord(app, name, caller), ownership: "shared", user_enabled: !off };
}
