import type { Args } from "./command.ts";

const OUTPUTS = ["table", "json", "yaml"] as const;
const LOG_LEVELS = ["trace", "debug", "info", "warn", "error"] as const;

/** Flags of every command, accepted before or after its words. */
export const GLOBAL_ARGS = {
  config: { type: "string", alias: "c", valueHint: "file", description: "configuration file" },
  "data-dir": {
    type: "string",
    alias: "d",
    valueHint: "folder",
    description: "data directory; selects the local proxy to use",
  },
  url: {
    type: "string",
    valueHint: "url",
    description: "URL of a remote proxy (SERVICE_URL)",
  },
  "api-key": { type: "string", valueHint: "key", description: "administrator key for --url (SERVICE_API_KEY)" },
  output: {
    type: "enum",
    alias: "o",
    valueHint: "form",
    options: OUTPUTS,
    description: "table (default), json or yaml",
  },
  json: { type: "boolean", description: "same as -o json" },
  "log-level": {
    type: "enum",
    valueHint: "level",
    options: LOG_LEVELS,
    description: "minimum log level: trace, debug, info (default), warn or error",
  },
  help: { type: "boolean", alias: "h", description: "show help" },
} as const satisfies Args;

/** The values of the global flags. */
export interface Globals {
  config?: string;
  dataDir?: string;
  url?: string;
  apiKey?: string;
  output: (typeof OUTPUTS)[number];
  logLevel?: (typeof LOG_LEVELS)[number];
}

export function globals(args: Record<string, unknown>): Globals {
  const { config, url, output, json } = args;
  const [dataDir, apiKey, logLevel] = [args["data-dir"], args["api-key"], args["log-level"]];
  return {
    output: json ? "json" : ((output as Globals["output"] | undefined) ?? "table"),
    ...(config !== undefined && { config: String(config) }),
    ...(dataDir !== undefined && { dataDir: String(dataDir) }),
    ...(url !== undefined && { url: String(url) }),
    ...(apiKey !== undefined && { apiKey: String(apiKey) }),
    ...(logLevel !== undefined && { logLevel: logLevel as NonNullable<Globals["logLevel"]> }),
  };
}
