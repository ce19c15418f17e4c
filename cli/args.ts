import type { FlagSpecs } from "./command.ts";

export const OUTPUTS = ["table", "json", "yaml"] as const;
export const LOG_LEVELS = ["trace", "debug", "info", "warn", "error"] as const;

/** Flags every command takes, before or after its words. */
export const GLOBAL_FLAGS = {
  config: { type: "string", short: "c", hint: "file", about: "configuration file" },
  "data-dir": { type: "string", short: "d", hint: "folder", about: "data directory; also says which daemon is meant" },
  url: { type: "string", hint: "url", about: "address of the proxy, when it is not the local one (SERVICE_URL)" },
  "api-key": { type: "string", hint: "key", about: "administrator key for --url (SERVICE_API_KEY)" },
  output: { type: "string", short: "o", hint: "form", choices: OUTPUTS, about: "table (default), json or yaml" },
  json: { type: "boolean", about: "same as -o json" },
  "log-level": {
    type: "string",
    hint: "level",
    choices: LOG_LEVELS,
    about: "what serve logs: trace, debug, info, warn or error",
  },
  help: { type: "boolean", short: "h", about: "show help" },
} as const satisfies FlagSpecs;

/** The values of the global flags. */
export interface Globals {
  config?: string;
  dataDir?: string;
  url?: string;
  apiKey?: string;
  output: (typeof OUTPUTS)[number];
  logLevel?: (typeof LOG_LEVELS)[number];
}

export function globals(flags: Record<string, unknown>): Globals {
  const { config, url, output, json } = flags;
  const [dataDir, apiKey, logLevel] = [flags["data-dir"], flags["api-key"], flags["log-level"]];
  return {
    output: json ? "json" : ((output as Globals["output"] | undefined) ?? "table"),
    ...(config !== undefined && { config: String(config) }),
    ...(dataDir !== undefined && { dataDir: String(dataDir) }),
    ...(url !== undefined && { url: String(url) }),
    ...(apiKey !== undefined && { apiKey: String(apiKey) }),
    ...(logLevel !== undefined && { logLevel: logLevel as NonNullable<Globals["logLevel"]> }),
  };
}
