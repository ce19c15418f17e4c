import { join } from "node:path";
import type { App } from "../../core/app.ts";
import { logFolder } from "../../core/base/worker.ts";
import { tailLines } from "../../core/log/tail.ts";
import { scrubText } from "../../core/secrets/mask/text.ts";

/** Number of log lines that are searched, and maximum number of returned lines. */
const MAX_SEARCHED_LINES = 2000;
const MAX_RETURNED_LINES = 50;

/**
 * The last warnings and errors of the program's own log, oldest first. Secrets were masked when the lines were written.
 */
export async function lastLines({ config, boot }: App): Promise<string[]> {
  const dir = logFolder(config, boot.worker);
  const lines = await tailLines([join(dir, "proxy.log")], MAX_SEARCHED_LINES);
  return lines
    .filter((line) => /^(?:\S+ (?:WARN|ERROR) |\{"time":"[^"]*","level":"(?:warn|error)")/.test(line))
    .slice(-MAX_RETURNED_LINES)
    .map(scrubText);
}
