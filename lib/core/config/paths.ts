import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";

/** Name of the configuration file where only a folder is given. */
const FILE_NAME = "mcp_config.json";
/** The default data directory, below the home folder. */
const HOME_FOLDER = ".mcpproxy";

export interface PathOptions {
  /** `--config` */
  path?: string | undefined;
  /** `--data-dir` */
  dataDir?: string | undefined;
  env: Readonly<Record<string, string | undefined>>;
}

/** The configuration file: the one given, else the one in the data directory. */
export function configPath({ path, dataDir, env }: PathOptions): string {
  return path
    ? absolute(path, env)
    : join(absolute(dataDir || env.SERVICE_DATA || join("~", HOME_FOLDER), env), FILE_NAME);
}

/**
 * The data directory: flag, environment, the file's own `data_dir` (seen from its folder), the folder of a file that
 * was given, the folder below home.
 */
export function dataFolder(wishes: PathOptions, inFile: unknown): string {
  const { path, dataDir, env } = wishes;
  const asked = dataDir || env.SERVICE_DATA;
  if (asked) return absolute(asked, env);
  const folder = dirname(configPath(wishes));
  if (typeof inFile === "string" && inFile) return resolve(folder, absoluteHome(inFile, env));
  return path ? folder : absolute(join("~", HOME_FOLDER), env);
}

/** The folder of the listener's certificates: `tls.certs_dir`, seen from the data directory, else `certs` in that. */
export function certsFolder(dataDir: string, inConfig: unknown, env: PathOptions["env"]): string {
  return typeof inConfig === "string" && inConfig
    ? resolve(dataDir, absoluteHome(inConfig, env))
    : join(dataDir, "certs");
}

const absolute = (path: string, env: PathOptions["env"]) => resolve(absoluteHome(path, env));

function absoluteHome(path: string, env: PathOptions["env"]): string {
  if (path !== "~" && !/^~[/\\]/.test(path)) return path;
  return join(env.HOME || env.USERPROFILE || homedir(), path.slice(1));
}
