import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import type { LiveConfig } from "#lib/core/config/live-config.ts";
import { type ConfigOptions, openConfig } from "#lib/core/config/open-config.ts";
import { createEventBus } from "#lib/core/events/event-bus.ts";
import type { EventOf } from "#lib/core/schema/event.ts";
import { type HandClock, handClock } from "#test/kit/clock.ts";
import { type HeardLog, heardLog } from "#test/kit/log.ts";

export interface Opened {
  config: LiveConfig;
  clock: HandClock;
  log: HeardLog;
  events: EventOf[];
  dir: string;
  path: string;
  /** The file as it is on the disk. */
  read(): string;
}

const folders: string[] = [];
process.once("exit", () => {
  for (const dir of folders) rmSync(dir, { recursive: true, force: true });
});

/** A folder that goes when the tests of the file end: what is opened on it in a test is closed, and may write, later. */
export function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), "proxy-"));
  folders.push(dir);
  return dir;
}

/** Opens a configuration on a file with this text; on no file when the text is undefined. */
export async function opened(
  t: TestContext,
  text: string | undefined,
  options: Partial<ConfigOptions> & { dir?: string } = {},
): Promise<Opened> {
  const dir = options.dir ?? folder();
  const path = join(dir, "mcp_config.json");
  if (text !== undefined) writeFileSync(path, text, { mode: 0o600 });
  const clock = handClock(Date.now());
  const log = heardLog();
  const events: EventOf[] = [];
  const bus = createEventBus(clock, (error) => {
    throw error;
  });
  bus.subscribe((event) => events.push(event));
  const config = await openConfig({ path, init: true, env: {}, clock, log, events: bus, ...options });
  t.after(() => config.close());
  return { config, clock, log, events, dir, path, read: () => readFileSync(path, "utf8") };
}
