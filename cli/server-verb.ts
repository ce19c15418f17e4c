import type { Api } from "#handlers/routes.gen.ts";
import { reasonOf } from "#lib/base/fault.ts";
import { type Command, command } from "./command.ts";
import { EXIT, UsageError } from "./exit.ts";

type Bulk = "POST /api/v1/servers/enable_all" | "POST /api/v1/servers/disable_all" | "POST /api/v1/servers/restart_all";
type One = Extract<
  keyof Api,
  `POST /api/v1/servers/{name}/${"enable" | "disable" | "restart" | "quarantine" | "unquarantine"}`
>;

/** How long a restart may take to come back. (ms) */
const TIMEOUT_MS = 60_000;

/**
 * A command that does one thing to named servers, or, where there is a route for it, to all of them. What fails is
 * said for each, and then the whole exits 1.
 */
export function serverVerb(spec: { about: string; one: One; all?: Bulk; examples: readonly string[] }): Command {
  const { about, one, all, examples } = spec;
  return command({
    about,
    words: { names: { about: "server names", many: true, ...(all && { optional: true }) } },
    flags: all ? { all: { type: "boolean", about: "every server" } } : {},
    examples,
    async run({ cli, words, flags }) {
      const everything = "all" in flags && flags.all === true;
      if (everything === words.names.length > 0)
        throw new UsageError(all ? "name the servers, or use --all" : "name at least one server");
      if (all && everything) {
        const done = await cli.call(all, {}, { timeoutMs: TIMEOUT_MS });
        await cli.show(
          done,
          ({ servers }) => servers.map((s) => `${s.server}: ${s.message}`).join("\n") || "no servers",
        );
        return done.failed > 0 ? EXIT.failed : EXIT.ok;
      }
      if (words.names.length === 1) {
        const done = await cli.call(one, { params: { name: words.names[0]! } }, { timeoutMs: TIMEOUT_MS });
        await cli.show(done, ({ message }) => message);
        return EXIT.ok;
      }
      const rows = await Promise.all(
        words.names.map((name) =>
          cli.call(one, { params: { name } }, { timeoutMs: TIMEOUT_MS }).then(
            ({ message }) => ({ server: name, ok: true, message }),
            (error) => ({ server: name, ok: false, message: reasonOf(error) }),
          ),
        ),
      );
      await cli.show(rows, () => rows.map((r) => r.message).join("\n"));
      return rows.every((r) => r.ok) ? EXIT.ok : EXIT.failed;
    },
  });
}
