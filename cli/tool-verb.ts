import { reasonOf } from "#lib/core/base/fault.ts";
import type { Cli } from "./cli.ts";
import { type Args, type Command, type CommandRun, command, type Meta } from "./command.ts";
import { EXIT, UsageError } from "./exit.ts";
import { byServer } from "./ids.ts";

interface Answer {
  tools: string[];
  message: string;
  /** Tools whose verdict of the offline scan is not clean. */
  flagged?: readonly { tool: string; verdict: string; rules: readonly string[] }[] | undefined;
}

interface Decided {
  server: string;
  tools: string[];
  message: string;
  ok: boolean;
}

/**
 * Declares a command for a decision about tools: those named, or with --all every waiting tool of the named servers. It
 * reports each failure by server and then exits with 1.
 */
export function toolVerb<const A extends Args = Record<never, never>>(spec: {
  meta: Meta;
  /** Flags in addition to the common ones. */
  args?: A;
  decide(cli: Cli, server: string, tools: string[] | "all", flags: CommandRun<A>["args"]): Promise<Answer>;
}): Command {
  const { meta, decide } = spec;
  return command({
    meta,
    args: {
      ...(spec.args ?? {}),
      tools: { type: "positional", names: "tools", description: "server:tool; with --all: server names", many: true },
      all: { type: "boolean", description: "all pending and changed tools of the named servers" },
    },
    async run({ cli, args }) {
      const selected = args.all ? servers(args.tools) : byServer(args.tools);
      const done: Decided[] = [];
      for (const [server, tools] of selected) {
        try {
          const { tools: decided, message } = await decide(
            cli,
            server,
            tools,
            args as unknown as CommandRun<A>["args"],
          );
          done.push({ server, tools: decided, message, ok: true });
        } catch (error) {
          if (selected.size === 1 || cli.signal.aborted) throw error;
          done.push({ server, tools: [], message: reasonOf(error), ok: false });
        }
      }
      await cli.show(done, () =>
        done.map((d) => (d.tools.length > 0 ? `${d.message}: ${d.tools.join(", ")}` : d.message)).join("\n"),
      );
      return done.every(({ ok }) => ok) ? EXIT.ok : EXIT.failed;
    },
  });
}

function servers(names: readonly string[]): Map<string, "all"> {
  const tool = names.find((name) => name.includes(":"));
  if (tool !== undefined) throw new UsageError(`--all takes server names, not tools such as "${tool}"`);
  return new Map(names.map((name) => [name, "all"]));
}
