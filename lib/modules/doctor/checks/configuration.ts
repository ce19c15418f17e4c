import type { App } from "../../../core/app.ts";
import { shellWord } from "../../../core/base/shell-word.ts";
import type { DoctorFinding } from "../../../core/schema/doctor-shapes.ts";
import { setKeyRemedy } from "../../../core/verbs/settings/set-key-remedy.ts";

/** Checks the configuration file for parts that have no effect. */
export function configuration(app: App): DoctorFinding[] {
  const { config } = app;
  const look = `proxy config validate ${shellWord(config.path)}`;
  const found: DoctorFinding[] = [];
  const problem = config.problem();
  if (problem !== undefined)
    found.push({
      code: "config_broken",
      severity: "error",
      title: "The proxy rejected the last edit of the configuration file",
      detail: `${problem}. The settings from before the edit stay active.`,
      remedy: { action: "Correct the file; the proxy applies it within a second", command: look },
    });
  const unknown = config.unknownKeys();
  if (unknown.length > 0)
    found.push({
      code: "config_unknown_keys",
      severity: "info",
      title: `The configuration has unknown keys: ${unknown.join(", ")}`,
      detail: "They are kept without effect. A misspelt key is among them.",
      remedy: { action: "List the known keys with similar names", command: look },
    });
  const pending = config.pendingRestart();
  if (pending.length > 0)
    found.push({
      code: "restart_pending",
      severity: "warning",
      title: `Changed settings that take effect after a restart: ${pending.join(", ")}`,
      remedy: { action: "Restart the proxy" },
    });
  return [...found, ...forced(app), ...profiles(app)];
}

/** Reports a `require_mcp_auth: false` that the multi-user edition overrides (spec 001 §5 item 1). */
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
      remedy: setKeyRemedy(app, "require_mcp_auth", true, "Set it to true in the configuration"),
    },
  ];
}

function profiles({ config }: App): DoctorFinding[] {
  const { profiles, mcpServers } = config.current();
  const serverNames = new Set(mcpServers.map(({ name }) => name));
  return profiles.flatMap(({ name, servers }) => {
    const unknownNames = servers.filter((server) => !serverNames.has(server));
    if (unknownNames.length === 0) return [];
    return [
      {
        code: "profile_unknown_servers",
        severity: "info",
        title: `Profile "${name}" names servers that are not configured: ${unknownNames.join(", ")}`,
        remedy: { action: "List the profiles", command: "proxy profile list" },
      },
    ];
  });
}
