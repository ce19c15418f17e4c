import { command } from "../../command.ts";

export default command({
  about: "List the upstream servers and how they are",
  async run({ cli }) {
    const { servers } = await cli.call("GET /api/v1/servers", {});
    await cli.show(servers, () => ({
      columns: ["name", "protocol", "state", "tools", "health", "do next"],
      rows: servers.map((s) => [s.name, s.protocol, stateOf(s), s.tool_count, s.health.summary, next(s)]),
      empty: "no servers yet; add one with: proxy upstream add <name> -- <command>",
    }));
  },
});

function stateOf(s: { enabled: boolean; quarantined: boolean; status: string }): string {
  if (!s.enabled) return "disabled";
  return s.quarantined ? `${s.status}, quarantined` : s.status;
}

const COMMANDS: Record<string, (name: string) => string> = {
  approve: (name) => `proxy tools list -s ${name}`,
  enable: (name) => `proxy upstream enable ${name}`,
  restart: (name) => `proxy upstream restart ${name}`,
  view_logs: (name) => `proxy upstream logs ${name}`,
};

function next({
  name,
  quarantined,
  health,
}: {
  name: string;
  quarantined: boolean;
  health: { action: string };
}): string {
  if (quarantined && health.action === "approve") return `proxy upstream unquarantine ${name}`;
  return COMMANDS[health.action]?.(name) ?? health.action.replaceAll("_", " ");
}
