import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { writeProblem } from "#lib/core/base/write-problem.ts";
import { FILTERS, filterQuery } from "../../activity-filter.ts";
import type { Cli } from "../../cli.ts";
import { command } from "../../command.ts";

export default command({
  meta: {
    description: "Export activity records as JSON Lines or CSV",
    detail:
      "Exports the newest records first, to standard output or to a file. A file appears only when it is complete. CSV is safe to open in a spreadsheet.",
    examples: [
      "proxy activity export --format csv --to activity.csv --since 2026-01-01T00:00:00Z",
      "proxy activity export -s git --include-bodies",
    ],
  },
  args: {
    ...FILTERS,
    format: {
      type: "enum",
      alias: "f",
      valueHint: "format",
      options: ["json", "csv"],
      description: "json (default) or csv",
    },
    to: { type: "string", valueHint: "file", description: "write to this file instead of standard output" },
    "include-bodies": { type: "boolean", description: "include arguments and responses; JSON Lines only" },
    limit: { type: "string", number: true, alias: "n", description: "maximum number of records, newest first (all)" },
  },
  async run({ cli, args }) {
    const { format = "json", limit, to } = args;
    const query = {
      ...filterQuery(args),
      format,
      ...(args["include-bodies"] === true && { include_bodies: "true" }),
      ...(limit !== undefined && { limit: String(limit) }),
    };
    const pieces = cli.stream("GET /api/v1/activity/export", { query }, { signal: cli.signal });
    if (to === undefined) await print(pieces, cli);
    else await write(pieces, to);
  },
});

async function print(pieces: AsyncIterable<Buffer>, { stdout }: Cli): Promise<void> {
  const decoder = new TextDecoder();
  for await (const piece of pieces) stdout.write(decoder.decode(piece, { stream: true }));
}

/** Activity records are sensitive, so only the owner may read the file. */
async function write(pieces: AsyncIterable<Buffer>, path: string): Promise<void> {
  const part = `${path}.part`;
  const file = createWriteStream(part, { mode: 0o600 });
  try {
    await once(file, "open");
    await pipeline(pieces, file);
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    // The connection to the proxy can fail with system errors, too; those of files name a path.
    if ((error as NodeJS.ErrnoException).path === undefined) throw error;
    throw new Error(writeProblem(path, error), { cause: error });
  }
}
