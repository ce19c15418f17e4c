import { networkInterfaces } from "node:os";
import type { App } from "../../../core/app.ts";
import { rfc3339 } from "../../../core/base/clock.ts";
import { Fault } from "../../../core/base/fault.ts";
import type { ServerConfig } from "../../../core/config/config-keys.ts";
import { recordActivity } from "../../../core/gateway/record-activity.ts";
import type { Actor } from "../../../core/schema/caller.ts";
import type { ImportResult } from "../../../core/schema/import-result.ts";
import { maskServer } from "../../../core/secrets/mask/server.ts";
import { mayManage, mayTrust } from "../../../core/verbs/servers/may-manage.ts";
import { mergeServer } from "../../../core/verbs/servers/merge.ts";
import { distrustServers } from "../../../core/verbs/servers/track.ts";
import { type Clear, clearSecrets } from "../../vault/clear.ts";
import { type Kept, keepEach } from "../../vault/keep-each.ts";
import { findServers } from "./find.ts";
import type { Self } from "./ours.ts";
import { type Planned, plan, type Wishes } from "./plan.ts";

export interface ImportOptions extends Wishes {
  /** A client's id, or `json`, `toml`, `yaml`; detected if absent. */
  readonly format?: string | undefined;
  /** Report what would be imported, without importing. */
  readonly preview?: boolean | undefined;
  /** Release the servers at once instead of leaving them in quarantine for review. */
  readonly skipQuarantine?: boolean | undefined;
  /** Store values that look like secrets in the keyring and replace them by references. */
  readonly secretsToKeyring?: boolean | undefined;
}

/** A planned server that passed the validation of the configuration. */
interface Ready extends Planned {
  readonly config: ServerConfig;
  readonly secrets: readonly Clear[];
}

/**
 * Imports the servers of a client's configuration (reference 1.12, 9.3) in one write, quarantined unless
 * `skipQuarantine` is set. Entries that already exist, lead to this proxy or are invalid are returned with the reason.
 * Every server that the result calls imported is in the configuration.
 *
 * @param text the content of the client's file
 * @throws Fault invalid_request, mcp_only_admin, management_disabled, admin_required, secret_unwritable, config_unwritable
 */
export async function importServers(app: App, text: string, options: ImportOptions, by: Actor): Promise<ImportResult> {
  mayManage(app, by, "add");
  if (options.skipQuarantine) mayTrust(by, "importing servers without quarantine");
  const found = findServers(text, options.format);
  const { add, skip } = plan(found.entries, app.config.current().mcpServers, options, self(app));
  const { ready, failed } = checked(add);
  const secretStore: Kept<Clear> = options.secretsToKeyring
    ? await keepEach(
        app,
        ready.flatMap(({ secrets }) => secrets),
        options.preview === true,
        by,
      )
    : { names: new Map(), backends: new Map(), undo: async () => {} };
  const servers: Written[] = ready.map(({ server, secrets, ...rest }) => {
    const filled = secrets.reduce((it, secret) => {
      const name = secretStore.names.get(secret);
      return name === undefined ? it : secret.replace(it, `\${keyring:${name}}`);
    }, server);
    return { ...rest, secrets, config: { ...configOf(filled), quarantined: options.skipQuarantine !== true } };
  });
  let added: Written[] = servers;
  if (!options.preview && servers.length > 0) {
    try {
      added = await write(app, servers, by);
    } catch (error) {
      await secretStore.undo();
      throw error;
    }
    for (const { config, originalName } of added) recordImport(app, config, originalName, found.format, by);
  }
  const raced = servers.filter((server) => !added.includes(server));
  const skipped = [
    ...skip.map(({ name, reason, detail }) => ({ name, reason, detail })),
    ...raced.map(({ originalName, config }) => ({
      name: originalName,
      reason: "already_exists" as const,
      detail: `another server named "${config.name}" was added in the meantime`,
    })),
    ...found.unread.map(({ name, reason }) => ({ name, reason: "not_a_server" as const, detail: reason })),
  ];
  const clear = added.some(({ secrets }) => secrets.some((secret) => !secretStore.names.has(secret)));
  return {
    preview: options.preview === true,
    format: found.format,
    format_name: found.formatName,
    summary: {
      total: found.entries.length + found.unread.length,
      imported: added.length,
      skipped: skipped.length,
      failed: failed.length,
    },
    imported: added.map((server) => importedRecord(server, found.format, secretStore)),
    skipped,
    failed,
    warnings: clear ? [IN_CLEAR] : [],
  };
}

const IN_CLEAR =
  "the configuration file contains values that look like secrets in plain text, unless they are stored as secrets (secrets_to_keyring; proxy import: --secrets-to-keyring)";

function checked(add: readonly Planned[]): { ready: Ready[]; failed: ImportResult["failed"] } {
  const ready: Ready[] = [];
  const failed: ImportResult["failed"] = [];
  for (const planned of add) {
    try {
      ready.push({ ...planned, config: configOf(planned.server), secrets: clearSecrets(planned.server) });
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      failed.push({ name: planned.originalName, error: error.message });
    }
  }
  return { ready, failed };
}

/** @throws Fault invalid_request, echoed_mask */
function configOf({ name, ...given }: Planned["server"]): ServerConfig {
  return mergeServer({ name, enabled: true } as ServerConfig, given);
}

type Written = Pick<Ready, "originalName" | "leftOut" | "remarks" | "config" | "secrets">;

/** Adds all servers in one write, except those whose name was taken in the meantime. */
async function write(app: App, servers: readonly Written[], by: Actor): Promise<Written[]> {
  let added: Written[] = [];
  await distrustServers(
    app,
    servers.map(({ config }) => config),
  );
  await app.config.update((draft) => {
    added = servers.filter(({ config }) => !draft.mcpServers.some(({ name }) => name === config.name));
    const created = rfc3339(app.clock.now());
    for (const { config } of added) draft.mcpServers.push({ ...config, created });
  }, by.caller.name);
  return added;
}

function recordImport(app: App, config: ServerConfig, originalName: string, format: string, by: Actor): void {
  recordActivity(app, by, {
    type: "server_change",
    server_name: config.name,
    status: "success",
    metadata: {
      action: "add",
      quarantined: config.quarantined === true,
      imported_from: format,
      original_name: originalName,
    },
  });
}

function importedRecord(server: Written, format: string, secretStore: Kept): ImportResult["imported"][number] {
  const { config, originalName, leftOut, remarks, secrets } = server;
  const { name, protocol, command, args, url, enabled, quarantined } = maskServer(config);
  return {
    name,
    protocol: protocol ?? (url === undefined ? "stdio" : "http"),
    ...(command !== undefined && { command, args: [...(args ?? [])] }),
    ...(url !== undefined && { url }),
    enabled,
    quarantined: quarantined === true,
    source_format: format,
    original_name: originalName,
    fields_skipped: [...leftOut],
    secrets: secrets.map((secret) => {
      const stored = secretStore.names.get(secret);
      const backend = secretStore.backends.get(secret);
      return {
        field: secret.field,
        ...(stored !== undefined && { stored_as: stored }),
        ...(backend !== undefined && { backend }),
      };
    }),
    warnings: [...remarks],
  };
}

/** The addresses and commands that lead to this proxy. */
export function self(app: Pick<App, "boot" | "config">): Self {
  return { listenAddr: app.boot.listenAddr || app.config.current().listen, addresses: addresses() };
}

function addresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address));
}
