import { type Clock, rfc3339 } from "../../core/base/clock.ts";
import type { Egress } from "../../core/base/egress/egress.ts";
import { reasonOf } from "../../core/base/fault.ts";
import { sameJson } from "../../core/base/json-object.ts";
import type { LiveConfig } from "../../core/config/live-config.ts";
import type { Logger } from "../../core/log/logger.ts";
import { check } from "./check.ts";
import { updateCommand } from "./command.ts";
import { type UpdateFacts, updatePolicy } from "./policy.ts";
import { readReleases } from "./releases.ts";
import type { InstallChannel, UpdateInfo, Updates } from "./updates.ts";

export interface UpdatesOptions {
  config: LiveConfig;
  egress: Egress;
  clock: Clock;
  log: Logger;
  boot: UpdateFacts;
  /** How the program was installed; called once. */
  installed: () => Promise<InstallChannel>;
  /** Whether to check automatically. */
  automatic: boolean;
}

/** Interval between checks (ms; spec 000 §2.7). */
const PERIOD_MS = 4 * 3_600_000;
/** Delay of the first check after the start, so that it does not slow the start (ms). */
const FIRST_MS = 10_000;

export function createUpdates({ config, egress, clock, log, boot, installed, automatic }: UpdatesOptions): Updates {
  let last: UpdateInfo | null = null;
  let looking: Promise<UpdateInfo | null> | undefined;
  let channel: Promise<InstallChannel> | undefined;
  const closing = new AbortController();
  const policy = () => updatePolicy(boot, config.current().update_check);

  const verdict = async () => {
    const { source } = config.current().update_check;
    if (!source) throw new Error("no list of releases is configured; set update_check.source");
    return check(
      await readReleases(source, { configPath: config.path, egress, signal: closing.signal }),
      boot.version,
      policy().channel,
    );
  };
  const look = async (): Promise<UpdateInfo> => {
    channel ??= installed();
    const install_channel = await channel;
    const checked_at = rfc3339(clock.now());
    try {
      const found = await verdict();
      const command = found.available ? updateCommand(install_channel) : undefined;
      return { ...found, checked_at, install_channel, ...(command !== undefined && { update_command: command }) };
    } catch (error) {
      const { check_error: _, ...before } = last ?? { available: false, is_prerelease: false };
      return { ...before, checked_at, install_channel, check_error: reasonOf(error) };
    }
  };
  const refresh = (): Promise<UpdateInfo | null> => {
    if (!policy().enabled) return Promise.resolve(null);
    looking ??= look()
      .then((found) => {
        if (found.available && !last?.available) log.info(`version ${found.latest_version} is available`);
        last = found;
        return found;
      })
      .finally(() => {
        looking = undefined;
      });
    return looking;
  };
  const byItself = () => {
    if (config.current().update_check.source) log.catch("checking for a newer release", refresh());
  };
  const followed = () =>
    config.onChange((next, before) => {
      if (!sameJson(next.update_check, before.update_check)) byItself();
    });
  const stops = automatic ? [clock.after(FIRST_MS, byItself), clock.every(PERIOD_MS, byItself), followed()] : [];
  return {
    latest: () => last,
    refresh,
    close() {
      for (const stop of stops) stop();
      closing.abort();
    },
  };
}
