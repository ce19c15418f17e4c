import type { App } from "../../core/app.ts";
import { shellWord } from "../../core/base/shell-word.ts";
import type { ServerConfig } from "../../core/config/config-keys.ts";
import type { DoctorCheck } from "../../core/extension/doctor-checks.ts";
import type { DoctorFinding } from "../../core/schema/doctor-shapes.ts";
import { clearSecrets } from "./clear.ts";
import { missing } from "./list.ts";
import type { Reference } from "./uses.ts";

/** The checks that this module adds to `proxy doctor`. */
export const vaultChecks: readonly DoctorCheck[] = [{ name: "secrets", area: "secrets", run: secretFindings }];

/** Reports references without a value, secrets without a reference, and where secrets are stored. */
async function secretFindings(app: App): Promise<DoctorFinding[]> {
  const found = (await missing(app)).map((reference) => unset(app, reference));
  found.push(...app.config.current().mcpServers.flatMap(inClear));
  const { kind, reason = "no keyring is available" } = await app.secrets.confirmedBackend();
  if (kind === "file")
    found.push({
      code: "secrets_in_file",
      severity: "info",
      title: "Secrets are stored in an encrypted file, not in the system keyring",
      detail: `Reason: ${reason}. Every user who can read the data directory can read them.`,
    });
  return found;
}

function unset(app: App, { text, kind, name, uses }: Reference): DoctorFinding {
  const [first] = uses;
  const needed = uses.some(({ server }) => server === undefined || app.config.server(server)?.enabled);
  const places = uses.map(({ server, field }) => (server === undefined ? field : `${server}: ${field}`)).join(", ");
  return {
    code: "secret_missing",
    severity: needed ? "error" : "warning",
    title: `${text} has no value`,
    detail: `Used by ${places}.`,
    ...(first?.server !== undefined && { server: first.server }),
    remedy:
      kind === "env"
        ? { action: `Set ${name} in the environment of the proxy and restart the proxy` }
        : { action: "Store the secret", command: `proxy secrets set ${shellWord(name)}` },
  };
}

/** Reports secrets in clear text in the configuration, recognised by name or form. */
function inClear(server: ServerConfig): DoctorFinding[] {
  const { name } = server;
  const fields = clearSecrets(server).map(({ field }) => field);
  if (fields.length === 0) return [];
  return [
    {
      code: "secret_in_clear",
      severity: "info",
      title: `The configuration file contains secrets of "${name}" in plain text: ${fields.join(", ")}`,
      server: name,
      remedy: {
        action: "Move them to the keyring",
        command: `proxy secrets migrate --server ${shellWord(name)} --apply`,
        route: "POST /api/v1/secrets/migrate",
        body: { server: name, apply: true },
      },
    },
  ];
}
