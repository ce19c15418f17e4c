import type { ToolEntry } from "#lib/shape/tool-entry.ts";
import type { Cli } from "../../cli.ts";
import { command } from "../../command.ts";
import { WATCH, watch } from "../../watch.ts";

export default command({
  meta: {
    description: "List tools of every server, or of one",
    examples: ["proxy tools list -s git", "proxy tools list --approval changed -o json"],
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
    ...WATCH,
  },
  async run({ cli, args }) {
    const { server, approval, enabled } = args;
    const show = async (cli: Cli) => {
      const tools = (await listed(cli, server))
        .filter((t) => approval === undefined || t.approval_status === approval)
        .filter((t) => enabled === undefined || enabled === isEnabled(t));
      const all = approval === undefined && enabled === undefined;
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

async function listed({ call, note }: Cli, server: string | undefined): Promise<ToolEntry[]> {
  if (server !== undefined) return (await call("GET /api/v1/servers/{name}/tools", { params: { name: server } })).tools;
  const { tools, partial, failed_servers: failed } = await call("GET /api/v1/tools", {});
  if (partial) note(`not all could be read: ${failed.join(", ")}`);
  return tools;
}

/** A server that cannot be reached, or that wants a sign-in first, has told of no tools. */
async function whyNone(cli: Cli, server: string): Promise<string> {
  const { servers } = await cli.call("GET /api/v1/servers", {});
  const { connected, status, last_error: error } = servers.find(({ name }) => name === server) ?? {};
  if (connected) return `"${server}" has no tools`;
  return `no tools of "${server}" are known: it is ${status ?? "gone"}${error ? `, ${error}` : ""}; see: ${cli.self} doctor`;
}

const idOf = (t: ToolEntry) => `${t.server_name}:${t.name}`;
const isEnabled = (t: ToolEntry) => !t.disabled && !t.config_denied;

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
