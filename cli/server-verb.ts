import type { Api } from "#handlers/routes.gen.ts";
import { reasonOf } from "#lib/core/base/fault.ts";
import { type Arg, type Command, command, type Meta } from "./command.ts";
import { EXIT, UsageError } from "./exit.ts";

type Bulk = "POST /api/v1/servers/enable_all" | "POST /api/v1/servers/disable_all" | "POST /api/v1/servers/restart_all";
type One = Extract<
  keyof Api,
  `POST /api/v1/servers/{name}/${"enable" | "disable" | "restart" | "refresh" | "quarantine"}`
>;

/** Timeout of a restart (ms). */
const TIMEOUT_MS = 60_000;

const NAMES = { type: "positional", names: "servers", description: "server names", many: true } as const satisfies Arg;
const EVERY = { type: "boolean", description: "every server" } as const satisfies Arg;

/**
 * Declares a command that applies one action to named servers or, if a route for it exists, to all. It reports each
 * failure and then exits with 1 (docs/cli.md).
 */
export function serverVerb(spec: { meta: Meta; one: One; all?: Bulk }): Command {
  const { meta, one, all } = spec;
  return command({
    meta,
    args: all ? { names: { ...NAMES, required: false }, all: EVERY } : { names: NAMES },
    async run({ cli, args }) {
      const { names } = args;
      const everything = "all" in args && args.all === true;
      if (everything === names.length > 0)
        throw new UsageError(all ? "name servers or use --all" : "name at least one server");
      if (all && everything) {
        const done = await cli.call(all, {}, { timeoutMs: TIMEOUT_MS });
        await cli.show(
          done,
          ({ servers }) => servers.map((s) => `${s.server}: ${s.message}`).join("\n") || "no servers",
        );
        return done.failed > 0 ? EXIT.failed : EXIT.ok;
      }
      if (names.length === 1) {
        const done = await cli.call(one, { params: { name: names[0]! } }, { timeoutMs: TIMEOUT_MS });
        await cli.show(done, ({ message }) => message);
        return went(one, done) ? EXIT.ok : EXIT.failed;
      }
      const rows = await Promise.all(
        names.map((name) =>
          cli.call(one, { params: { name } }, { timeoutMs: TIMEOUT_MS }).then(
            (done) => ({ server: name, ok: went(one, done), message: done.message }),
            (error) => ({ server: name, ok: false, message: reasonOf(error) }),
          ),
        ),
      );
      await cli.show(rows, () => rows.map((r) => r.message).join("\n"));
      return rows.every((r) => r.ok) ? EXIT.ok : EXIT.failed;
    },
  });
}

/** Whether the action succeeded: a restart without a connection counts as failed, as with `--all`. */
const went = (route: One, { connected }: { connected: boolean }) => connected || !route.endsWith("/restart");
