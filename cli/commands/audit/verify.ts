import { readFile, realpath, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { parseJsonText } from "#lib/core/base/json-text.ts";
import { configPath, dataFolder } from "#lib/core/config/paths.ts";
import { openHead } from "#lib/modules/audit/head.ts";
import { usualTrail } from "#lib/modules/audit/sink.ts";
import { type Problem, verifyTrail } from "#lib/modules/audit/verify.ts";
import type { Cli } from "../../cli.ts";
import { command } from "../../command.ts";
import { EXIT, UsageError } from "../../exit.ts";

export default command({
  meta: {
    description: "Verify the complete audit log; works without a running proxy",
    detail:
      "Detects lines that were changed, removed, added or moved, and a truncated start or end.\n" +
      "With cluster.database_url it also verifies the signed anchors in the database, and the logs of all replicas and\n" +
      "workers whose data directory is here, against them.\n" +
      "Exit codes: 0 the log is intact; 1 it is not, and each problem is listed.",
    examples: ["proxy audit verify", "proxy audit verify ./captured-stdout.log"],
  },
  args: {
    file: {
      type: "positional",
      required: false,
      description: "newest file of the audit log, or captured standard output (default: the configured log)",
    },
    replicas: {
      type: "string",
      valueHint: "folder",
      description: "folder with copies of the data directories of other replicas, one subfolder for each",
    },
  },
  async run({ cli, args }) {
    if (args.file === undefined) {
      const { verifyCluster } = await import("../../verify-cluster.ts");
      const code = await verifyCluster(cli, args.replicas);
      if (code !== undefined) return code;
    }
    const dataDir = await dataDirOf(cli);
    const head = await (await openHead(dataDir, false)).read();
    // The path in a recorded end that fails verification is not used. The default path is checked, and the record is
    // reported.
    const recordedPath = typeof head === "object" ? head.at : head === "absent" ? undefined : usualTrail(dataDir);
    const path = args.file === undefined ? recordedPath : resolve(args.file);
    if (path === undefined || path === "stdout")
      throw new UsageError(
        path === undefined
          ? `${dataDir} has no audit log; name the file to verify, or enable audit_log in the configuration`
          : "the audit log goes to standard output; name the file that captured it",
      );
    if ((await stat(path).catch(() => undefined))?.isDirectory())
      throw new UsageError(`${path} is a folder; name a file`);
    const realFile = await realpath(path).catch(() => path);
    const same =
      recordedPath === undefined ||
      (recordedPath !== "stdout" && (await realpath(recordedPath).catch(() => recordedPath)) === realFile);
    // Captured output may begin at any line. A file other than the recorded one is checked without a recorded end.
    const reach = same
      ? head
      : typeof head === "object" && recordedPath === "stdout"
        ? { ...head, from: ANYWHERE }
        : undefined;
    const found = await verifyTrail(path, reach);
    // Without a recorded end, a log without any file would count as an intact one without lines.
    if (args.file !== undefined && found.files === 0) throw new UsageError(`${path} does not exist; correct the path`);
    await cli.show({ path, end_checked: reach !== undefined, ...found }, ({ ok, lines, files, problems }) =>
      [
        ...problems.map(problemText),
        `${path}: ${lines} line(s) in ${files} file(s), ${ok ? "intact" : `${problems.length} problem(s)`}`,
        ...(reach === undefined ? ["the expected end is unknown, so a truncated end cannot be detected"] : []),
      ].join("\n"),
    );
    return found.ok ? EXIT.ok : EXIT.failed;
  },
});

const ANYWHERE = Number.MAX_SAFE_INTEGER;

const problemText = ({ file, line, text }: Problem) => `${file}${line === undefined ? "" : `:${line}`}: ${text}`;

/** The data directory that the proxy would use; the default if the configuration cannot be read. */
async function dataDirOf({ globals: { config, dataDir }, env }: Cli): Promise<string> {
  const wishes = { path: config, dataDir, env };
  const text = await readFile(configPath(wishes), "utf8").catch(() => "{}");
  const inFile = () => (parseJsonText(text).value as { data_dir?: unknown } | null)?.data_dir;
  try {
    return dataFolder(wishes, inFile());
  } catch {
    return dataFolder(wishes, undefined);
  }
}
