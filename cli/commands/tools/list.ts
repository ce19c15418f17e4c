import type { Api } from "#handlers/routes.gen.ts";
import type { ArgsOf } from "#lib/client/client.ts";
import type { ToolEntry } from "#lib/core/schema/tool-entry.ts";
import type { Cli } from "../../cli.ts";
import { command } from "../../command.ts";
import { approvalOf, toolEffect } from "../../tool-entry-text.ts";
import { WATCH, watch } from "../../watch.ts";

export default command({
  meta: {
    description: "List the tools of all servers or one server",
    examples: [
      "proxy tools list -s git",
      "proxy tools list --approval changed -o json",
      "proxy tools list --sort -usage -n 20",
    ],
  },
  args: {
    server: {
      type: "string",
      alias: "s",
      names: "servers",
      valueHint: "name",
      description: "only tools of this server, pending ones first",
    },
    approval: {
      type: "enum",
      valueHint: "state",
      options: ["approved", "pending_approval", "changed"],
      description: "only tools in this state: approved, pending_approval or changed",
    },
    enabled: { type: "boolean", description: "only enabled tools; --no-enabled: only blocked or excluded tools" },
    risk: {
      type: "enum",
      valueHint: "verdict",
      options: ["clean", "suspicious", "dangerous"],
      description: "only tools with this verdict of the offline scan",
    },
    match: { type: "string", valueHint: "words", description: "only tools with these words in name or description" },
    sort: {
      type: "string",
      valueHint: "what",
      description: "name, server_name, usage, last_used, approval_status or risk; -usage for descending order",
    },
    limit: { type: "string", number: true, alias: "n", description: "maximum number of entries (all)" },
    ...WATCH,
  },
  async run({ cli, args }) {
    const { server, approval, enabled, risk, match, sort, limit } = args;
    const query = {
      approval,
      enabled: enabled === undefined ? undefined : (`${enabled}` as const),
      risk,
      q: match,
      sort,
      limit: limit === undefined ? undefined : String(limit),
    };
    const show = async (cli: Cli) => {
      const { tools, total } = await listed(cli, server, query);
      if (tools.length < total) cli.note(`${total - tools.length} more; show them with a higher --limit`);
      const all = Object.values(query).every((value) => value === undefined);
      const empty =
        tools.length === 0 && all && server !== undefined ? await whyNone(cli, server) : "no matching tools";
      await cli.show(tools, () => ({
        columns: ["tool", "approval", "does", "used", "description"],
        whole: ["tool"],
        rows: tools.map((t) => [idOf(t), approvalOf(t), toolEffect(t), t.usage || "", t.description]),
        empty,
      }));
    };
    if (args.watch) return watch(cli, { on: ["tools", "servers.changed", "activity.tool_call.completed"] }, show);
    await show(cli);
  },
});

async function listed(
  { call, note }: Cli,
  server: string | undefined,
  query: NonNullable<ArgsOf<Api["GET /api/v1/tools"]>["query"]>,
): Promise<{ tools: ToolEntry[]; total: number }> {
  if (server !== undefined) return await call("GET /api/v1/servers/{name}/tools", { params: { name: server }, query });
  const { tools, total, partial, failed_servers: failed } = await call("GET /api/v1/tools", { query });
  if (partial) note(`some servers could not be read: ${failed.join(", ")}`);
  return { tools, total };
}

/** Why a server has no tools: it cannot be reached, or needs a sign-in. */
async function whyNone(cli: Cli, server: string): Promise<string> {
  const { servers } = await cli.call("GET /api/v1/servers", {});
  const { connected, status, last_error: error } = servers.find(({ name }) => name === server) ?? {};
  if (connected) return `"${server}" has no tools`;
  return `no known tools of "${server}": it is ${status ?? "gone"}${error ? `, ${error}` : ""}; see: ${cli.self} doctor`;
}

const idOf = (t: ToolEntry) => `${t.server_name}:${t.name}`;
