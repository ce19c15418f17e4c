import type { App } from "../../core/app.ts";
import { Fault } from "../../core/base/fault.ts";
import type { ServerConfig } from "../../core/config/config-keys.ts";
import type { Actor } from "../../core/schema/caller.ts";
import type { ValueToSecret } from "../../core/schema/secret-shapes.ts";
import { editServers } from "../../core/verbs/servers/edit.ts";
import { findServer } from "../../core/verbs/servers/find.ts";
import { mayManage } from "../../core/verbs/servers/may-manage.ts";
import { keep, referenceTo } from "./keep.ts";
import { reportSecretChange } from "./store.ts";

/**
 * Moves the value of a header or variable to the keyring and replaces it by a reference (spec 000 §4.2). It reads the
 * value from the configuration, so the caller need not know it. The value is also removed from the stored earlier
 * versions of the configuration.
 *
 * @returns the reference
 * @throws Fault server_not_found, no_such_record, invalid_request, already_exists if the name has another value that is
 * in use, secret_unwritable, config_unwritable, management_disabled
 */
export async function toSecret(
  app: App,
  name: string,
  { scope, key, secret_name }: ValueToSecret,
  by: Actor,
): Promise<string> {
  mayManage(app, by, "change");
  const field = scope === "header" ? "headers" : "env";
  const place = findPlace(findServer(app, name, by.caller), name, field, key);
  const undo = await keep(app, secret_name, place.value);
  const reference = referenceTo(secret_name);
  try {
    await editServers(
      app,
      [name],
      (server) => {
        const now = findPlace(server, name, field, key);
        if (now.value !== place.value) throw new Fault("changed_meanwhile", { what: `server "${name}"` });
        return { ...server, [field]: { ...server[field], [now.key]: reference } };
      },
      by,
    );
  } catch (error) {
    await undo();
    throw error;
  }
  await app.config.history.forget(place.value, reference);
  reportSecretChange(app, "store", secret_name, by);
  return reference;
}

/** @throws Fault no_such_record, invalid_request */
function findPlace(server: ServerConfig, name: string, field: "headers" | "env", key: string) {
  const map = server[field] ?? {};
  const ownKey = Object.hasOwn(map, key)
    ? key
    : Object.keys(map).find((header) => field === "headers" && header.toLowerCase() === key.toLowerCase());
  const value = ownKey === undefined ? undefined : map[ownKey];
  if (ownKey === undefined || value === undefined)
    throw new Fault("no_such_record", {
      what: `server "${name}": ${field === "headers" ? "header" : "variable"}`,
      id: key,
    });
  if (value === "") throw new Fault("invalid_request", { reason: `${field}.${key} is empty` });
  // A reference within other text counts too, because secrets in the keyring are not searched for references.
  const reference = /\$\{(?:keyring|env):[^}]*\}/.exec(value)?.[0];
  if (reference !== undefined)
    throw new Fault("invalid_request", { reason: `${field}.${key} is already a reference: ${reference}` });
  return { key: ownKey, value };
}
