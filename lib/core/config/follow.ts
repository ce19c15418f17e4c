import type { Clock } from "../base/clock.ts";
import { Fault, reasonOf } from "../base/fault.ts";
import { type JsonObject, sameJson } from "../base/json-object.ts";
import type { EventBus } from "../events/event-bus.ts";
import type { Logger } from "../log/logger.ts";
import { configKeys } from "./config-keys.ts";
import { parseDocument, readConfigText } from "./document.ts";
import type { SettingsInForce } from "./settings-in-force.ts";
import { watchFile } from "./watch-file.ts";

/** How long the proxy waits for an invalid text to become valid, because some editors save in two steps. (ms) */
const SETTLE_MS = 300;

/** Adopts the changes that people make to the file. */
export interface Follower {
  /** Why the last edit was rejected; undefined while file and memory agree. */
  problem(): string | undefined;
  /** Applies a text that was read from the file. @throws Fault config_invalid; the settings stay as they are */
  adopt(text: string): void;
  close(): void;
}

interface FollowOptions {
  inForce: SettingsInForce;
  clock: Clock;
  log: Logger;
  events: EventBus;
  /** Runs a function that uses the file; only one at a time. */
  serially<T>(work: () => Promise<T>): Promise<T>;
  /** Called after each accepted configuration. */
  onAdopted(raw: JsonObject): void;
}

/** Follows changes of the file. If an edit is invalid, the settings in force stay, and the error is reported once. */
export function followConfigFile({ inForce, clock, log, events, serially, onAdopted }: FollowOptions): Follower {
  const { path } = inForce;
  let problem: string | undefined;
  let suspect: string | undefined;
  let closed = false;

  const adopt = (text: string): void => {
    const previous = inForce.settings;
    const content = parseDocument(text, path);
    const next = inForce.resolve(inForce.documentOf(content));
    [problem, suspect] = [undefined, undefined];
    inForce.replace(next, text, { content });
    onAdopted(next.raw);
    const changed = configKeys()
      .filter(({ key }) => !sameJson(next.wanted[key], previous.wanted[key]))
      .map((k) => k.key);
    log.info(`${path} was edited; the proxy has applied it`, {
      changed,
      ...(next.pending.length > 0 && { after_restart: next.pending }),
    });
    events.publish("config.reloaded", { path, cause: "edited" });
  };

  const refuse = (reason: string, text: string): void => {
    if (suspect !== text) {
      suspect = text;
      clock.after(SETTLE_MS, look);
    } else if (problem !== reason) {
      problem = reason;
      log.error(`${reason}; the proxy keeps its current settings`);
      events.publish("config.problem", { reason });
    }
  };

  const reload = async (): Promise<void> => {
    if (closed) return;
    let text: string | undefined;
    try {
      text = await readConfigText(path);
      if (text === undefined)
        throw new Fault("config_invalid", { reason: `${path} is missing; the next change creates it again` });
      if (text !== inForce.text) adopt(text);
      else if (problem !== undefined) {
        log.info(`${path} is restored to its last valid content`);
        events.publish("config.reloaded", { path, cause: "mended" });
      }
      [problem, suspect] = [undefined, undefined];
    } catch (error) {
      refuse(reasonOf(error), `${text ?? ""}\n${reasonOf(error)}`);
    }
  };

  const look = () => log.catch(`reading ${path}`, serially(reload));
  const stop = watchFile(path, clock, look);
  return {
    problem: () => problem,
    adopt,
    close() {
      closed = true;
      stop();
    },
  };
}
