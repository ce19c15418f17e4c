import { RestError } from "#lib/client/error.ts";
import type { ListedKind } from "#lib/core/schema/item.ts";
import type { ItemEntry } from "#lib/core/schema/item-entry.ts";
import type { Cli } from "./cli.ts";
import { type Command, command } from "./command.ts";
import { EXIT } from "./exit.ts";
import { byServer, splitTool } from "./ids.ts";
import { itemEntriesOf } from "./item-entries.ts";
import { lineDiff } from "./line-diff.ts";
import { scanText } from "./scan-text.ts";

/** The kind of items of one command group: `prompts`, or `resources` with their templates. */
interface ItemGroup {
  readonly command: "prompts" | "resources";
  readonly kinds: readonly ListedKind[];
  /** An item's ID for examples. */
  readonly example: string;
}

export function itemListCommand({ command: name, kinds }: ItemGroup): Command {
  return command({
    meta: { description: `List the ${name} of all servers or one server`, examples: [`proxy ${name} list -s git`] },
    args: {
      server: {
        type: "string",
        alias: "s",
        names: "servers",
        valueHint: "name",
        description: "only those of this server",
      },
    },
    async run({ cli, args }) {
      const entries = await itemEntriesOf(cli, args.server, kinds);
      await cli.show(entries, () => ({
        columns: ["id", "kind", "approval", "description"],
        whole: ["id"],
        rows: entries.map((e) => [`${e.server_name}:${e.name}`, e.kind, approvalOf(e), e.description || e.title || ""]),
        empty: `no ${name}`,
      }));
    },
  });
}

export function itemShowCommand({ command: name, kinds, example }: ItemGroup): Command {
  return command({
    meta: {
      description: `Show a ${name.slice(0, -1)} and its difference from what was approved`,
      detail: "If it was approved and has changed since, the lines that differ are marked.",
      examples: [`proxy ${name} show ${example}`],
    },
    args: { id: { type: "positional", description: "server:name" } },
    async run({ cli, args }) {
      const { server, tool: item } = splitTool(args.id, name.slice(0, -1));
      const diffs = await diffsOf(cli, server, kinds, item);
      await cli.show(diffs.length === 1 ? diffs[0]! : diffs, () =>
        diffs
          .map((diff) => {
            const word = approvalOf({ ...diff, approval_status: diff.status });
            const isChanged = diff.previous !== "" && diff.previous !== diff.current;
            const text = isChanged ? lineDiff(diff.previous, diff.current) : diff.current;
            const found = diff.scan && diff.scan.findings.length > 0 ? `\n\n${scanText(diff.scan)}` : "";
            return `${diff.kind} ${args.id} (${word})\n\n${text}${found}`;
          })
          .join("\n\n"),
      );
    },
  });
}

/** A URI can identify both a resource and a template. */
async function diffsOf(cli: Cli, server: string, kinds: readonly ListedKind[], item: string) {
  const found = [];
  let missing: unknown;
  for (const kind of kinds)
    try {
      const params = { name: server };
      found.push(await cli.call("GET /api/v1/servers/{name}/items/diff", { params, query: { kind, item } }));
    } catch (error) {
      if (!(error instanceof RestError) || error.code !== "no_such_record") throw error;
      missing ??= error;
    }
  if (found.length === 0) throw missing;
  return found;
}

export function itemApproveCommand({ command: name, kinds, example }: ItemGroup): Command {
  return command({
    meta: {
      description: `Approve new or changed ${name}`,
      detail:
        "An approval covers the current definition. Entries with a finding of high or critical severity stay pending unless --accept-risk is given.",
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

function approvalOf({
  disabled,
  approval_status: status,
  scan,
}: Pick<ItemEntry, "disabled" | "approval_status" | "scan">): string {
  const word = disabled ? "blocked" : status === "pending_approval" ? "pending" : status;
  return scan && scan.verdict !== "clean" ? `${word} (${scan.verdict})` : word;
}
