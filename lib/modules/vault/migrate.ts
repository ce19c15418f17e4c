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

/** A secret that stands in the configuration file, and what would stand in its place. */
interface Candidate {
  server: string;
  field: string;
  /** Masked. */
  value: string;
  /** Its name as a secret. */
  name: string;
  /** Which store holds it, or would hold it: the system's keyring, or the encrypted file. */
  backend: SecretEntry["backend"];
  /** What stands in its place then. */
  suggested: string;
}

interface MigrateOptions {
  /** Only of this server; of all of them when left out. */
  server?: string | undefined;
  /** Do it; else it is only said what would be done. */
  apply: boolean;
}

/**
 * Moves the secrets that stand in clear in the definitions of servers into the keyring, and puts references in their
 * place (reference 1.14). First all of them are stored, then the configuration is written once: a crash in between
 * leaves both as they were, and the next run goes on where this one ended. What is moved is forgotten in the kept
 * versions of the configuration, too.
 *
 * @returns what was found, and moved where it was asked for
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

/** @throws Fault changed_meanwhile where a secret is not what was stored any more */
function filled(now: ServerConfig, found: readonly Found[], names: ReadonlyMap<Clear, string>): ServerConfig {
  const own = found.filter(({ server }) => server.name === now.name).map(({ secret }) => secret);
  const still = clearSecrets(now);
  let next: ServerConfig = now;
  for (const secret of own) {
    if (!still.some(({ field, value }) => field === secret.field && value === secret.value))
      throw new Fault("changed_meanwhile", { what: `server "${now.name}"` });
    // Only texts of a checked definition are replaced, each by another text.
    next = secret.replace(next, referenceTo(names.get(secret)!)) as ServerConfig;
  }
  return next;
}

/** Each text that held secrets, and the same with references; several in one text (an address) are one change. */
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
