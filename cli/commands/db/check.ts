import type { DatabaseCondition } from "#lib/core/store/recover.ts";
import type { TableCondition } from "#lib/core/store/salvage.ts";
import { command } from "../../command.ts";
import { EXIT } from "../../exit.ts";
import { localDataDir } from "../../local-data-dir.ts";

export default command({
  meta: {
    description: "Check the database of this machine's data directory, while a proxy runs or not",
    detail:
      "Reads a copy that is removed afterwards: every table, its indices, and whether each row can be read.\n" +
      "Exit codes: 0 it is whole; 1 it is damaged, and each table says what is lost.",
    examples: ["proxy db check", "proxy db check -d /srv/proxy"],
  },
  args: {},
  async run({ cli }) {
    const { checkDatabase } = await import("#lib/core/store/recover.ts");
    const dataDir = await localDataDir(cli);
    const found = await checkDatabase(dataDir);
    await cli.show(found, told);
    return found.whole ? EXIT.ok : EXIT.failed;
  },
});

function told({ file, whole, tables }: DatabaseCondition): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  if (whole) return `${file} is whole: ${rows} row(s) in ${tables.length} tables`;
  return [
    ...tables.map(tableLine),
    `${file} is damaged; stop the proxy and copy what can be read into a new one: proxy db recover`,
  ].join("\n");
}

/** What is left of one table, and what SQLite says of it. */
export function tableLine({ table, rows, lost, more_lost, damaged_values, problems }: TableCondition): string {
  const losses = [
    ...(lost > 0 || more_lost ? [`${more_lost ? "at least " : ""}${lost} lost`] : []),
    ...(damaged_values > 0 ? [`${damaged_values} damaged value(s)`] : []),
    ...problems,
  ];
  return `${table}: ${rows} row(s) can be read${losses.length > 0 ? `; ${losses.join("; ")}` : ""}`;
}
