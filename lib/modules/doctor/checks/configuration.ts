import type { App } from "../../../core/app.ts";
import { shellWord } from "../../../core/base/shell-word.ts";
import type { DoctorFinding } from "../../../core/schema/doctor-shapes.ts";
import { setKeyRemedy } from "../../../core/verbs/settings/set-key-remedy.ts";

/** The configuration file, and what of it is not in force. */
export function configuration(app: App): DoctorFinding[] {
  const { config } = app;
  const look = `proxy config validate ${shellWord(config.path)}`;
  const found: DoctorFinding[] = [];
  const problem = config.problem();
  if (problem !== undefined)
    found.push({
      code: "config_broken",
      severity: "error",
      title: "The configuration file was edited by hand and cannot be used",
      detail: `${problem}. The settings from before the edit stay in force.`,
      remedy: { action: "Mend the file; it is taken over within a second", command: look },
    });
  const unknown = config.unknownKeys();
  if (unknown.length > 0)
    found.push({
      code: "config_unknown_keys",
      severity: "info",
      title: `The configuration has keys that mean nothing here: ${unknown.join(", ")}`,
      detail: "They are kept as they are. A misspelt key is one of them.",
      remedy: { action: "See which known keys may be meant", command: look },
    });
  const pending = config.pendingRestart();
  if (pending.length > 0)
    found.push({
      code: "restart_pending",
      severity: "warning",
      title: `Changed, but not in force before a restart: ${pending.join(", ")}`,
      remedy: { action: "Restart the proxy" },
    });
  return [...found, ...forced(app), ...profiles(app)];
}

/** Spec 001 §5 item 1. */
function forced(app: App): DoctorFinding[] {
  const { config } = app;
  if (!config.current().server_edition?.enabled) return [];
  if ((config.overrides().require_mcp_auth ?? config.raw().require_mcp_auth) !== false) return [];
  return [
    {
      code: "mcp_auth_forced",
      severity: "warning",
      title: "require_mcp_auth: false has no effect in the server edition",
      detail: "MCP clients must authenticate while server_edition.enabled is true.",
      remedy: setKeyRemedy(app, "require_mcp_auth", true, "Say so in the configuration"),
    },
  ];
}

function profiles({ config }: App): DoctorFinding[] {
  const { profiles, mcpServers } = config.current();
  const known = new Set(mcpServers.map(({ name }) => name));
  return profiles.flatMap(({ name, servers }) => {
    const gone = servers.filter((server) => !known.has(server));
    if (gone.length === 0) return [];
    return [
      {
        code: "profile_unknown_servers",
        severity: "info",
        title: `Profile "${name}" names servers that are not configured: ${gone.join(", ")}`,
        remedy: { action: "Look at the profiles", command: "proxy profile list" },
      },
    ];
  });
}
