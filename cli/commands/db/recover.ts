import type { Recovery } from "#lib/core/store/recover.ts";
import { command } from "../../command.ts";
import { localDataDir } from "../../local-data-dir.ts";
import { tableLine } from "./check.ts";

export default command({
  meta: {
    description: "Copy what can be read of a damaged database into a new one; the proxy must be stopped",
    detail:
      "The damaged database is kept beside the new one. Where approvals or blocks may have been lost, every tool without a\n" +
      "readable approval waits for a person, whatever the trust settings say. A whole database is left as it is.",
    examples: ["proxy db recover"],
  },
  args: {},
  async run({ cli }) {
    const { recoverDatabase } = await import("#lib/core/store/recover.ts");
    const dataDir = await localDataDir(cli);
    await cli.show(await recoverDatabase(dataDir, Date.now()), told);
  },
});

function told({ file, tables, kept_as, approvals_needed }: Recovery): string {
  if (kept_as === undefined) return `${file} is whole; nothing was changed`;
  return [
    ...tables.map(tableLine),
    `${file} is new and holds what could be read; the damaged one is kept as ${kept_as}`,
    ...(approvals_needed
      ? ["approvals or blocks may be lost: every tool without an approval waits for a person; see: proxy doctor"]
      : []),
  ].join("\n");
}
