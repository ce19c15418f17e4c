import type { DatabaseCondition, TableCondition } from "#lib/core/schema/database-condition.ts";
import { command } from "../../command.ts";
import { EXIT } from "../../exit.ts";
import { databaseDir } from "../../local-database.ts";

export default command({
  meta: {
    description: "Check the local database; works with or without a running proxy",
    detail:
      "Checks a temporary copy: every table, its indices and every row.\n" +
      "Exit codes: 0 intact; 1 damaged, and the losses are listed for each table, or written by a newer\n" +
      "version of the proxy, which must check it.",
    examples: ["proxy db check", "proxy db check -d /srv/proxy"],
  },
  args: {},
  async run({ cli }) {
    const { checkDatabase } = await import("#lib/core/store/recover.ts");
    const dataDir = await databaseDir(cli);
    const found = await checkDatabase(dataDir);
    await cli.show(found, conditionText);
    return found.whole ? EXIT.ok : EXIT.failed;
  },
});

function conditionText({ file, whole, tables }: DatabaseCondition): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  if (whole) return `${file} is intact: ${rows} row(s) in ${tables.length} tables`;
  return [
    ...tables.map(tableLine),
    `${file} is damaged; stop the proxy and copy the readable rows to a new database: proxy db recover`,
  ].join("\n");
}

/** The condition of one table, with SQLite's messages about it. */
export function tableLine({ table, rows, lost, more_lost, damaged_values, problems }: TableCondition): string {
  const losses = [
    ...(lost > 0 || more_lost ? [`${more_lost ? "at least " : ""}${lost} lost`] : []),
    ...(damaged_values > 0 ? [`${damaged_values} damaged value(s)`] : []),
    ...problems,
  ];
  return `${table}: ${rows} readable row(s)${losses.length > 0 ? `; ${losses.join("; ")}` : ""}`;
}
