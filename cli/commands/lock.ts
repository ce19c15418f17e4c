import { resolve } from "node:path";
import { writeFileDurably } from "#lib/core/base/file.ts";
import { writeProblem } from "#lib/core/base/write-problem.ts";
import { DRIFT_CLASSES, type DriftClass } from "#lib/core/schema/lock-verification.ts";
import { readLock } from "#lib/modules/lock/document.ts";
import type { Cli } from "../cli.ts";
import { command } from "../command.ts";
import { LOCK_EXIT, UsageError } from "../exit.ts";
import { readText } from "../read-text.ts";
import { quoted } from "../self.ts";

export default command({
  meta: {
    group: "servers",
    description: "Write or verify the lock file, a pinned description of every server",
    detail:
      "Exit codes of verify: 0 no difference; 20 incomplete comparison; otherwise the most severe difference that --allow\n" +
      "does not accept: 21 cosmetic, 22 text, 23 narrowing, 24 widening, 25 capability.",
    examples: ["proxy lock", "proxy lock verify", "proxy lock verify --allow cosmetic --allow text"],
  },
  args: {
    action: {
      type: "positional",
      required: false,
      description: "verify: compare with the lock file instead of writing it",
    },
    file: { type: "string", alias: "f", valueHint: "path", description: "the lock file (mcp.lock)" },
    allow: { type: "string", many: true, valueHint: "class", description: "accept differences of this class" },
  },
  async run({ cli, args }) {
    const path = resolve(args.file ?? "mcp.lock");
    const allow = args.allow.map(classOf);
    if (args.action === "verify") return await verify(cli, path, allow);
    if (args.action !== undefined) throw new UsageError(`the only action of lock is "verify", not "${args.action}"`);
    const { lock, text } = await cli.call("GET /api/v1/lock", {});
    // Verifies that the new file can be read; otherwise the old file remains, because an invalid lock file blocks all
    // calls while it is enforced.
    readLock(text);
    await writeFileDurably(path, text, 0o644).catch((error: unknown) => {
      throw new Error(writeProblem(path, error), { cause: error });
    });
    for (const [name, { tools }] of Object.entries(lock.servers))
      if (Object.keys(tools).length === 0) cli.note(`${name}: no known tools; check that it is connected`);
    const servers = Object.values(lock.servers);
    const tools = servers.reduce((n, server) => n + Object.keys(server.tools).length, 0);
    await cli.show(
      { path, servers: servers.length, tools },
      () => `${path}: ${many(servers.length, "server")}, ${many(tools, "tool")}`,
    );
    return 0;
  },
});

const many = (n: number, what: string) => `${n} ${what}${n === 1 ? "" : "s"}`;

async function verify(cli: Cli, path: string, allow: readonly DriftClass[]): Promise<number> {
  const text = await readText(path, cli, { missing: `create it with: proxy lock --file ${quoted(path)}` });
  const found = await cli.call("POST /api/v1/lock/verify", { body: { text } });
  await cli.show(found, ({ drifts }) => ({
    columns: ["class", "server", "item", "at", "what"],
    rows: drifts.map((d) => [d.class, d.server, d.tool ?? d.item, d.at, d.what]),
    empty: "no differences",
  }));
  for (const { server, what } of found.unverified) cli.note(`${server}: ${what}`);
  const worst = DRIFT_CLASSES.findLast(
    (one) => !allow.includes(one) && found.drifts.some((drift) => drift.class === one),
  );
  if (worst) return LOCK_EXIT[worst];
  return found.unverified.length > 0 ? LOCK_EXIT.unverified : 0;
}

function classOf(word: string): DriftClass {
  const found = DRIFT_CLASSES.find((one) => one === word);
  if (!found) throw new UsageError(`--allow must be one of ${DRIFT_CLASSES.join(", ")}, not "${word}"`);
  return found;
}
