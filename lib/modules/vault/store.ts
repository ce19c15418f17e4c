import type { App } from "../../core/app.ts";
import { reasonOf } from "../../core/base/fault.ts";
import { recordActivity } from "../../core/gateway/record-activity.ts";
import type { Actor } from "../../core/schema/caller.ts";
import { rejectMasked } from "../../core/secrets/mask/restore-masked.ts";
import { mayConfigure } from "../../core/verbs/settings/change.ts";
import { Fault } from "./faults.ts";
import { put } from "./keep.ts";
import { findSecret, type SecretRecord } from "./list.ts";
import { type Use, usesOf } from "./uses.ts";

/**
 * Stores a secret under a name and replaces the previous one. Connected servers that use it reconnect in the
 * background; servers that waited for it connect on the event.
 *
 * @throws Fault management_disabled, invalid_request, echoed_mask, secret_unwritable
 */
export async function store(app: App, name: string, value: string, by: Actor): Promise<SecretRecord> {
  mayConfigure(app);
  rejectMasked({ value });
  await put(app, name, value);
  reportSecretChange(app, "store", name, by);
  renew(app, usesOf(app, name));
  return await findSecret(app, name);
}

/**
 * Deletes a secret. Existing connections continue; new ones fail with the name of the missing secret.
 *
 * @param options.force deletes a secret even if the configuration refers to it
 * @returns the places that still refer to it
 * @throws Fault management_disabled, no_such_record, secret_in_use, secret_unwritable
 */
export async function remove(app: App, name: string, by: Actor, { force }: { force: boolean }): Promise<Use[]> {
  mayConfigure(app);
  const uses = usesOf(app, name);
  if (!force && uses.length > 0 && (await app.secrets.list()).includes(name))
    throw new Fault("secret_in_use", { name, places: placesText(uses) });
  const removed = await app.secrets.delete(name).catch((error: unknown) => {
    throw new Fault("secret_unwritable", { name, reason: reasonOf(error), removing: true }, { cause: error });
  });
  if (!removed) throw new Fault("no_such_record", { what: "secret", id: name });
  reportSecretChange(app, "delete", name, by);
  return uses;
}

function placesText(uses: readonly Use[]): string {
  return uses.map(({ server, field }) => (server === undefined ? field : `${field} of server "${server}"`)).join(", ");
}

/** Publishes and records that a secret was stored or deleted. */
export function reportSecretChange(app: App, operation: "store" | "delete", name: string, by: Actor): void {
  recordActivity(app, by, {
    type: "config_change",
    status: "success",
    metadata: { action: `secret_${operation}`, secret: name },
  });
  app.events.publish("secrets.changed", { operation, secret_name: name });
}

function renew(app: App, uses: readonly Use[]): void {
  for (const name of new Set(uses.map(({ server }) => server))) {
    const upstream = name === undefined ? undefined : app.upstreams.get(name);
    if (upstream?.status().state === "Ready")
      app.log.catch(`connecting "${name}" with a new secret`, upstream.restart("a secret changed"));
  }
}
