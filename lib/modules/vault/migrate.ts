import type { App } from "../../core/app.ts";
import { Fault } from "../../core/base/fault.ts";
import type { ServerConfig } from "../../core/config/config-keys.ts";
import type { Actor } from "../../core/schema/caller.ts";
import { maskSecret } from "../../core/secrets/mask/mask.ts";
import type { SecretEntry } from "../../core/secrets/secrets.ts";
import { editServers } from "../../core/verbs/servers/edit.ts";
import { findServer } from "../../core/verbs/servers/find.ts";
import { mayManage } from "../../core/verbs/servers/may-manage.ts";
import { type Clear, clearSecrets } from "./clear.ts";
import { referenceTo } from "./keep.ts";
import { keepEach } from "./keep-each.ts";

/** A secret in the configuration file, and the reference that replaces it. */
interface Candidate {
  server: string;
  field: string;
  /** The masked value. */
  value: string;
  /** Its name in the keyring. */
  name: string;
  /** The store that contains it, or would contain it: the system's keyring, or the encrypted file. */
  backend: SecretEntry["backend"];
  /** The reference that replaces it. */
  suggested: string;
}

interface MigrateOptions {
  /** Limits the search to this server; absent for all. */
  server?: string | undefined;
  /** Whether to make the change or only report it. */
  apply: boolean;
}

/**
 * Moves the secrets in clear text in server definitions to the keyring and replaces them by references (reference
 * 1.14). All are stored before the configuration is written once. After a crash in between, the configuration is
 * unchanged, and the next run uses the stored secrets. The secrets are also removed from the stored earlier versions of
 * the configuration.
 *
 * @returns the secrets found, which were moved if `apply` is set
 * @throws Fault server_not_found, management_disabled, changed_meanwhile, secret_unwritable, config_unwritable
 */
export async function migrate(app: App, { server, apply }: MigrateOptions, by: Actor): Promise<Candidate[]> {
  if (apply) mayManage(app, by, "change");
  const servers = server === undefined ? app.config.current().mcpServers : [findServer(app, server, by.caller)];
  const found = servers.flatMap((one) => clearSecrets(one).map((secret) => ({ server: one, secret })));
  const { names, backends, undo } = await keepEach(
    app,
    found.map(({ secret }) => secret),
    !apply,
    by,
  );
  if (apply && found.length > 0) {
    try {
      await editServers(app, [...new Set(found.map((one) => one.server.name))], (now) => filled(now, found, names), by);
    } catch (error) {
      await undo();
      throw error;
    }
    for (const [before, after] of texts(found, names)) await app.config.history.forget(before, after);
  }
  return found.map(({ server: { name: owner }, secret }) => {
    const name = names.get(secret)!;
    const backend = backends.get(secret)!;
    return {
      server: owner,
      field: secret.field,
      value: maskSecret(secret.value),
      name,
      backend,
      suggested: referenceTo(name),
    };
  });
}

interface Found {
  readonly server: ServerConfig;
  readonly secret: Clear;
}

/** @throws Fault changed_meanwhile if a secret no longer has the stored value */
function filled(now: ServerConfig, found: readonly Found[], names: ReadonlyMap<Clear, string>): ServerConfig {
  const ownSecrets = found.filter(({ server }) => server.name === now.name).map(({ secret }) => secret);
  const still = clearSecrets(now);
  let next: ServerConfig = now;
  for (const secret of ownSecrets) {
    if (!still.some(({ field, value }) => field === secret.field && value === secret.value))
      throw new Fault("changed_meanwhile", { what: `server "${now.name}"` });
    // The cast is safe: in a valid definition, texts are replaced by texts.
    next = secret.replace(next, referenceTo(names.get(secret)!)) as ServerConfig;
  }
  return next;
}

/** Each text that contained secrets, with its replacement; several secrets in one text (a URL) are one change. */
function texts(found: readonly Found[], names: ReadonlyMap<Clear, string>): Map<string, string> {
  const changed = new Map<string, string>();
  for (const { server, secret } of found) {
    const by = referenceTo(names.get(secret)!);
    const after = secret.field.startsWith("url")
      ? (found
          .filter((one) => one.server === server && one.secret.field.startsWith("url"))
          .reduce((it, one) => one.secret.replace(it, referenceTo(names.get(one.secret)!)) as ServerConfig, server)
          .url ?? "")
      : secret.filled(by);
    changed.set(secret.text, after);
  }
  return changed;
}
