import type { JsonObject } from "../base/json-object.ts";
import type { Logger } from "../log/logger.ts";
import type { Config } from "./config-keys.ts";
import { resolveSettings, type Settings } from "./resolve-settings.ts";

/** The settings in force, the text of the file from which they come, and the listeners for changes. */
export interface SettingsInForce {
  readonly path: string;
  readonly settings: Settings;
  /** The text that this program last read from the file or wrote to it. */
  readonly text: string;
  /** Returns the settings that a content of the file results in. @throws Fault config_invalid */
  resolve(raw: JsonObject): Settings;
  replace(settings: Settings, text: string): void;
  onChange(listener: (next: Config, previous: Config) => void): () => void;
}

/** Holds the settings in force. @param overrides environment and flags, as a part of a document */
export function createSettingsInForce(
  path: string,
  raw: JsonObject,
  text: string,
  overrides: JsonObject,
  log: Logger,
): SettingsInForce {
  const atBoot = resolveSettings(raw, overrides);
  const listeners = new Set<(next: Config, previous: Config) => void>();
  let current = { settings: atBoot, text };
  return {
    path,
    get settings() {
      return current.settings;
    },
    get text() {
      return current.text;
    },
    resolve: (next) => resolveSettings(next, overrides, atBoot.current),
    replace(settings, nextText) {
      const previous = current.settings;
      current = { settings, text: nextText };
      for (const listener of listeners) {
        try {
          listener(settings.current, previous.current);
        } catch (error) {
          log.error("a listener of the configuration failed", { error });
        }
      }
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
