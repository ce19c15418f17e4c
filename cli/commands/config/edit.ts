import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { writeFileDurably } from "#lib/core/base/file.ts";
import { configPath } from "#lib/core/config/paths.ts";
import { askYes, isTerminal } from "../../ask.ts";
import type { Cli } from "../../cli.ts";
import { command } from "../../command.ts";
import { configRemarks, remarkLines } from "../../config-remarks.ts";
import { openEditor } from "../../editor.ts";
import { EXIT, UsageError } from "../../exit.ts";
import { localDataDir } from "../../local-data-dir.ts";
import { NO_CONFIG } from "../../no-config.ts";
import { readText } from "../../read-text.ts";

export default command({
  meta: {
    description: "Edit the configuration file in your editor",
    detail:
      "Opens a copy in VISUAL or EDITOR and replaces the file only if the result is valid and nobody else changed the file meanwhile. The file keeps its mode. A running proxy applies the change at once. `proxy config restore` undoes it.",
    examples: ["proxy config edit"],
  },
  async run({ cli }) {
    await localDataDir(cli);
    const { config, dataDir } = cli.globals;
    const path = configPath({ path: config, dataDir, env: cli.env });
    const before = await readText(path, cli, { missing: NO_CONFIG });
    // Only this user can read the folder, because the file contains secrets.
    const folder = await mkdtemp(join(tmpdir(), "proxy-edit-"));
    const copy = join(folder, basename(path));
    await writeFile(copy, before, { mode: 0o600 });
    const text = await edited(copy, cli);
    const kept = `your edit is kept in ${copy}`;
    if (text === undefined) {
      cli.note(`not saved; ${kept}`);
      return EXIT.usage;
    }
    if (text !== before) {
      if ((await readText(path, cli)) !== before)
        throw new Error(`${path} was changed by another program meanwhile; ${kept}`);
      await writeFileDurably(path, text);
    }
    await rm(folder, { recursive: true });
    const isChanged = text !== before;
    await cli.show({ path, changed: isChanged }, () => (isChanged ? `saved ${path}` : "nothing was changed"));
    return EXIT.ok;
  },
});

/** The text after editing, as soon as it is valid. Undefined if the person gives up. */
async function edited(copy: string, cli: Cli): Promise<string | undefined> {
  for (;;) {
    await openEditor(copy, cli);
    cli.signal.throwIfAborted();
    const text = await readText(copy, cli);
    const found = configRemarks(text);
    for (const line of remarkLines(copy, found)) cli.hint(line);
    if (found.valid) return text;
    if (!isTerminal(cli))
      throw new UsageError(`the configuration is invalid and was not saved; your edit is kept in ${copy}`);
    if (!(await askYes("The configuration is invalid. Edit again?", cli))) return undefined;
  }
}
