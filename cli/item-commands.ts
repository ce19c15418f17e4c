import type { ListedKind } from "#lib/core/schema/item.ts";
import type { ItemEntry } from "#lib/core/schema/item-entry.ts";
import type { Cli } from "./cli.ts";
import { type Command, command } from "./command.ts";
import { EXIT } from "./exit.ts";
import { byServer } from "./ids.ts";

/** What one group of commands is about: `prompts`, or `resources` with their templates. */
export interface ItemGroup {
  readonly command: "prompts" | "resources";
  readonly kinds: readonly ListedKind[];
  /** An id for examples. */
  readonly example: string;
}

export function itemListCommand({ command: name, kinds }: ItemGroup): Command {
  return command({
    meta: { description: `List the ${name} of all servers or one server`, examples: [`proxy ${name} list -s git`] },
    args: { server: { type: "string", alias: "s", valueHint: "name", description: "only those of this server" } },
    async run({ cli, args }) {
      const entries = await entriesOf(cli, args.server, kinds);
      await cli.show(entries, () => ({
        columns: ["id", "kind", "approval", "description"],
        whole: ["id"],
        rows: entries.map((e) => [`${e.server_name}:${e.name}`, e.kind, approvalOf(e), e.description]),
        empty: `no ${name}`,
      }));
    },
  });
}

export function itemApproveCommand({ command: name, kinds, example }: ItemGroup): Command {
  return command({
    meta: {
      description: `Approve new or changed ${name}`,
      detail:
        "An approval covers the current definition. What has a finding of high or critical severity stays pending unless --accept-risk is given.",
      examples: [`proxy ${name} approve ${example}`],
    },
    args: {
      ids: { type: "positional", description: "server:name", many: true },
      "accept-risk": { type: "boolean", description: "accept findings of high or critical severity of those named" },
    },
    async run({ cli, args }) {
      const done = [];
      for (const [server, names] of byServer(args.ids, kinds[0]))
        done.push(
          await cli.call("POST /api/v1/servers/{name}/items/approve", {
            params: { name: server },
            body: { kinds: [...kinds], names, accept_findings: args["accept-risk"] ? names : [] },
          }),
        );
      const pending = done.flatMap((one) => one.pending);
      const lines = [
        ...done.flatMap((one) => one.approved).map((one) => `approved ${one.name}`),
        ...pending.map((one) => `${one.name} still waits: ${[one.reason, ...(one.rules ?? [])].join(", ")}`),
      ];
      await cli.show(done, () => lines.join("\n"));
      return pending.length === 0 ? EXIT.ok : EXIT.failed;
    },
  });
}

export function itemBlockCommand({ command: name, kinds, example }: ItemGroup): Command {
  return command({
    meta: {
      description: `Block ${name}, so that no client sees or reads them`,
      examples: [`proxy ${name} block ${example}`],
    },
    args: { ids: { type: "positional", description: "server:name", many: true } },
    async run({ cli, args }) {
      const done: string[] = [];
      for (const [server, names] of byServer(args.ids, kinds[0])) {
        const { blocked } = await cli.call("POST /api/v1/servers/{name}/items/block", {
          params: { name: server },
          body: { kinds: [...kinds], names },
        });
        done.push(...blocked.map(({ name }) => `${server}:${name}`));
      }
      await cli.show({ blocked: done }, () => done.map((id) => `blocked ${id}`).join("\n"));
    },
  });
}

async function entriesOf(cli: Cli, only: string | undefined, kinds: readonly ListedKind[]): Promise<ItemEntry[]> {
  const servers = only === undefined ? (await cli.call("GET /api/v1/servers", {})).servers.map((s) => s.name) : [only];
  const entries: ItemEntry[] = [];
  for (const name of servers)
    for (const kind of kinds) {
      const params = { name };
      const { items } =
        kind === "prompt"
          ? await cli.call("GET /api/v1/servers/{name}/prompts", { params })
          : kind === "resource"
            ? await cli.call("GET /api/v1/servers/{name}/resources", { params })
            : await cli.call("GET /api/v1/servers/{name}/resource-templates", { params });
      entries.push(...items);
    }
  return entries;
}

function approvalOf({ disabled, approval_status: status, scan }: ItemEntry): string {
  const word = disabled ? "blocked" : status === "pending_approval" ? "pending" : status;
  return scan && scan.verdict !== "clean" ? `${word} (${scan.verdict})` : word;
}
