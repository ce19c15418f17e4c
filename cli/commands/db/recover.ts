import type { DatabaseRecovery } from "#lib/core/schema/database-condition.ts";
import { command } from "../../command.ts";
import { databaseDir } from "../../local-database.ts";
import { tableLine } from "./check.ts";

export default command({
  meta: {
    description: "Copy readable rows of a damaged database to a new one; the proxy must be stopped",
    detail:
      "The damaged database is kept beside the new one. If approvals or blocks may be lost, every tool without a readable\n" +
      "approval stays pending, whatever the trust settings. An intact database is not changed.",
    examples: ["proxy db recover"],
  },
  args: {},
  async run({ cli }) {
    const { recoverDatabase } = await import("#lib/core/store/recover.ts");
    const dataDir = await databaseDir(cli);
    await cli.show(await recoverDatabase(dataDir, Date.now()), recoveryText);
  },
});

function recoveryText({ file, tables, kept_as, approvals_needed }: DatabaseRecovery): string {
  if (kept_as === undefined) return `${file} is intact; nothing was changed`;
  return [
    ...tables.map(tableLine),
    `${file} is a new database with all readable rows; the damaged one is kept as ${kept_as}`,
    ...(approvals_needed
      ? ["approvals or blocks may be lost: every tool without an approval stays pending; see: proxy doctor"]
      : []),
  ].join("\n");
}
