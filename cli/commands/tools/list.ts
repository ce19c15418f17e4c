import type { Api } from "#handlers/routes.gen.ts";
import type { ArgsOf } from "#lib/client/client.ts";
import type { ToolEntry } from "#lib/core/schema/tool-entry.ts";
import type { Cli } from "../../cli.ts";
import { command } from "../../command.ts";
import { WATCH, watch } from "../../watch.ts";

export default command({
  meta: {
    description: "List tools of every server, or of one",
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
      valueHint: "name",
      description: "only this server's, those that wait for approval first",
    },
    approval: {
      type: "enum",
      valueHint: "state",
      options: ["approved", "pending_approval", "changed"],
      description: "only approved, pending_approval or changed ones",
    },
    enabled: { type: "boolean", description: "only those in use; --no-enabled: only those blocked or left out" },
    risk: {
      type: "enum",
      valueHint: "verdict",
      options: ["clean", "suspicious", "dangerous"],
      description: "only those of which the offline scan says this",
    },
    match: { type: "string", valueHint: "words", description: "only those with these words in name or description" },
    sort: {
      type: "string",
      valueHint: "what",
      description: "name, server_name, usage, last_used, approval_status or risk; -usage for falling order",
    },
    limit: { type: "string", number: true, alias: "n", description: "how many at most (all)" },
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
      if (tools.length < total) cli.note(`${total - tools.length} more; see them with a higher --limit`);
      const all = Object.values(query).every((value) => value === undefined);
      const empty = tools.length === 0 && all && server !== undefined ? await whyNone(cli, server) : "no such tools";
      await cli.show(tools, () => ({
        columns: ["tool", "approval", "does", "used", "description"],
        whole: ["tool"],
        rows: tools.map((t) => [idOf(t), approvalOf(t), effect(t), t.usage || "", t.description]),
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
  if (partial) note(`not all could be read: ${failed.join(", ")}`);
  return { tools, total };
}

/** A server that cannot be reached, or that wants a sign-in first, has told of no tools. */
async function whyNone(cli: Cli, server: string): Promise<string> {
  const { servers } = await cli.call("GET /api/v1/servers", {});
  const { connected, status, last_error: error } = servers.find(({ name }) => name === server) ?? {};
  if (connected) return `"${server}" has no tools`;
  return `no tools of "${server}" are known: it is ${status ?? "gone"}${error ? `, ${error}` : ""}; see: ${cli.self} doctor`;
}

const idOf = (t: ToolEntry) => `${t.server_name}:${t.name}`;

/** The approval, and what the scan says where it is not clean. */
function approvalOf(t: ToolEntry): string {
  const scanned = t.scan && t.scan.verdict !== "clean" ? ` (${t.scan.verdict})` : "";
  return approvalWord(t) + scanned;
}

function approvalWord(t: ToolEntry): string {
  if (t.disabled) return "blocked";
  if (t.config_denied) return "left out";
  return t.approval_status === "pending_approval" ? "pending" : t.approval_status;
}

/** What its server says that it does. */
export function effect({ annotations }: Pick<ToolEntry, "annotations">): string {
  if (annotations?.readOnlyHint === true) return "read";
  if (annotations?.destructiveHint === true) return "destroy";
  return annotations?.destructiveHint === false ? "write" : "";
}
