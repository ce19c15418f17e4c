import { durationMs } from "#lib/core/base/clock.ts";
import { command } from "../../command.ts";
import { UsageError } from "../../exit.ts";
import { commandsAs } from "../../self.ts";

/** The exit code for the worst verdict. An unknown verdict of a newer proxy counts as not transient (spec 000 §2.6). */
const exitOf = (verdict: string): number => EXITS[verdict] ?? 11;
const EXITS: Readonly<Record<string, number>> = { ready: 0, degraded_retryable: 10, blocked: 11, unknown_ids: 12 };

export default command({
  meta: {
    description: "Check whether tools can be called now, and if not, why",
    detail: "Calls no tool. Exit codes: 0 all are ready; 10 waiting may help; 11 someone must act; 12 unknown ids.",
    examples: ["proxy tools preflight git:log git:push --wait 5s", "proxy tools preflight git:log --read-only-only"],
  },
  args: {
    tools: { type: "positional", many: true, names: "tools", description: "server:tool" },
    profile: {
      type: "string",
      names: "profiles",
      valueHint: "name",
      description: "check with the view of this profile",
    },
    pin: {
      type: "string",
      many: true,
      valueHint: "id=hash",
      description: "expected hash of a tool, sha256/v2:…",
    },
    "read-only-only": { type: "boolean", description: "exclude tools that do not declare readOnlyHint" },
    "exclude-destructive": {
      type: "boolean",
      description: "exclude tools that do not declare themselves non-destructive",
    },
    "exclude-open-world": {
      type: "boolean",
      description: "exclude tools that do not declare themselves closed-world",
    },
    wait: { type: "string", valueHint: "time", description: "maximum wait for starting servers, at most 10s" },
  },
  async run({ cli, args }) {
    const { tools: ids, profile, wait } = args;
    const pins = pinned(args.pin, ids);
    const policy = {
      read_only_only: args["read-only-only"] === true,
      exclude_destructive: args["exclude-destructive"] === true,
      exclude_open_world: args["exclude-open-world"] === true,
    };
    const found = await cli.call("POST /api/v1/preflight", {
      body: {
        tools: ids.map((id) => ({ id, ...(pins.has(id) && { pin_hash: pins.get(id) }) })),
        policy,
        ...(profile !== undefined && { profile }),
        ...(wait !== undefined && { wait_ms: waitMs(wait) }),
      },
    });
    await cli.show(found, ({ tools }) => ({
      columns: ["tool", "verdict", "detail", "do next"],
      rows: tools.map((t) => [
        t.id,
        t.reason ?? t.status,
        t.detail ?? t.hash,
        commandsAs(cli.self, t.remediation ?? ""),
      ]),
      empty: "no tools named",
    }));
    for (const { id, did_you_mean: similarIds } of found.tools)
      if (similarIds) cli.note(`${id}: did you mean ${similarIds.join(" or ")}?`);
    return exitOf(found.verdict);
  },
});

function pinned(pins: readonly string[], ids: readonly string[]): Map<string, string> {
  return new Map(
    pins.map((pin) => {
      const mark = pin.lastIndexOf("=");
      if (mark < 1) throw new UsageError(`--pin must have the form id=hash, not "${pin}"`);
      const id = pin.slice(0, mark);
      if (!ids.includes(id)) throw new UsageError(`--pin names ${id}, which is not one of the named tools`);
      return [id, pin.slice(mark + 1)];
    }),
  );
}

function waitMs(text: string): number {
  const ms = durationMs(text);
  if (ms === undefined) throw new UsageError(`--wait must be a time such as 5s or 500ms, not "${text}"`);
  return Math.round(ms);
}
