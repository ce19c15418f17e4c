import { dirname, join } from "node:path";
import { configPath } from "#lib/core/config/paths.ts";
import { Fault } from "#lib/modules/code/faults.ts";
import type { Cli } from "../../../cli.ts";
import { command } from "../../../command.ts";
import { UsageError } from "../../../exit.ts";

export default command({
  meta: {
    description: "List stored scripts and whether each can run",
    detail: "If no proxy is running, the command reads the scripts folder beside the configuration file.",
    examples: ["proxy code scripts list -o json"],
  },
  async run({ cli }) {
    const found = await listed(cli);
    await cli.show(found, ({ dir, scripts }) => ({
      columns: ["name", "status", "path"],
      rows: scripts.map((s) => [s.name, s.reason ? `${s.status}: ${s.reason}` : s.status, s.paths.join(", ")]),
      empty: `no scripts in ${dir}`,
    }));
  },
});

interface Listed {
  dir: string;
  scripts: { name: string; paths: string[]; status: string; reason?: string | undefined }[];
}

async function listed(cli: Cli): Promise<Listed> {
  try {
    return await cli.call("GET /api/v1/code/scripts", {});
  } catch (error) {
    const away = error instanceof Fault && (error as Fault).code === "daemon_not_running";
    if (!away || cli.globals.url || cli.env.SERVICE_URL) throw error;
    return await local(cli);
  }
}

/** Lists the scripts without a running proxy. @throws Fault config_invalid, code_disabled; UsageError */
async function local({ globals, env }: Cli): Promise<Listed> {
  const path = configPath({ path: globals.config, dataDir: globals.dataDir, env });
  const { envOverrides, parseDocument, readConfigText } = await import("#lib/read-config.ts");
  const { listScripts } = await import("#lib/modules/code/scripts.ts");
  const text = await readConfigText(path);
  if (text === undefined && globals.config !== undefined)
    throw new UsageError(`configuration file ${path} does not exist`);
  const document = { ...(text !== undefined && parseDocument(text, path)), ...envOverrides(env) };
  if (document.enable_code_execution === false) throw new Fault("code_disabled");
  const dir = join(dirname(path), "scripts");
  return { dir, scripts: await listScripts(dir) };
}
