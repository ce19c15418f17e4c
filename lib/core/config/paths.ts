import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";

/** Name of the configuration file in a data directory. */
const FILE_NAME = "mcp_config.json";
/** The default data directory, below the home folder. */
const HOME_FOLDER = ".mcpproxy";

export interface PathOptions {
  /** The value of `--config`. */
  path?: string | undefined;
  /** The value of `--data-dir`. */
  dataDir?: string | undefined;
  env: Readonly<Record<string, string | undefined>>;
}

/** Returns the path of the configuration file: the given one, otherwise the one in the data directory. */
export function configPath({ path, dataDir, env }: PathOptions): string {
  return path
    ? absolute(path, env)
    : join(absolute(dataDir || env.SERVICE_DATA || join("~", HOME_FOLDER), env), FILE_NAME);
}

/**
 * Returns the data directory, from the first of: the flag, the environment, `data_dir` in the file (relative to the
 * file's folder), the folder of the given file, the folder in the user's home.
 */
export function dataFolder(wishes: PathOptions, inFile: unknown): string {
  const { path, dataDir, env } = wishes;
  const requestedDir = dataDir || env.SERVICE_DATA;
  if (requestedDir) return absolute(requestedDir, env);
  const folder = dirname(configPath(wishes));
  if (typeof inFile === "string" && inFile) return resolve(folder, absoluteHome(inFile, env));
  return path ? folder : absolute(join("~", HOME_FOLDER), env);
}

/**
 * Returns the folder of the listener's certificates: `tls.certs_dir`, relative to the data directory, or `certs` in it.
 */
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
