import type { JsonObject } from "../base/json-object.ts";
import type { Logger } from "../log/logger.ts";
import type { Config } from "./config-keys.ts";
import { resolveSettings, type Settings } from "./resolve-settings.ts";
import { withSharedPart } from "./shared-part.ts";

/** The settings in force, the text of the file from which they come, and the listeners for changes. */
export interface SettingsInForce {
  readonly path: string;
  readonly settings: Settings;
  /** The text that this program last read from the file or wrote to it. */
  readonly text: string;
  /** The content of the file. `settings.raw` is the same, or in a cluster this with what the replicas share. */
  readonly content: JsonObject;
  /** Returns the document that a content of the file results in, together with what the replicas share. */
  documentOf(content: JsonObject): JsonObject;
  /** Returns the settings that a document results in. @throws Fault config_invalid */
  resolve(raw: JsonObject): Settings;
  replace(settings: Settings, text: string, parts?: DocumentParts): void;
  /**
   * Begins to use a document that replicas share, during the start: no key waits for a restart.
   *
   * @throws Fault config_invalid; the settings stay as they are
   */
  share(shared: JsonObject): void;
  /** Replaces the shared document by a newer one. @throws Fault config_invalid; the settings stay as they are */
  replaceShared(shared: JsonObject): void;
  onChange(listener: (next: Config, previous: Config) => void): () => void;
}

/** The parts of a document: the content of the file (absent: all), and what replicas share (absent: as before). */
interface DocumentParts {
  readonly content?: JsonObject;
  readonly shared?: JsonObject;
}

/** Holds the settings in force. @param overrides environment and flags, as a part of a document */
export function createSettingsInForce(
  path: string,
  raw: JsonObject,
  text: string,
  overrides: JsonObject,
  log: Logger,
): SettingsInForce {
  let atBoot = resolveSettings(raw, overrides);
  let shared: JsonObject | undefined;
  const listeners = new Set<(next: Config, previous: Config) => void>();
  let current = { settings: atBoot, text, content: raw };
  const resolve = (next: JsonObject) => resolveSettings(next, overrides, atBoot.current);
  const replace = (settings: Settings, nextText: string, parts: DocumentParts = {}) => {
    const previous = current.settings;
    current = { settings, text: nextText, content: parts.content ?? settings.raw };
    shared = parts.shared ?? shared;
    for (const listener of listeners) {
      try {
        listener(settings.current, previous.current);
      } catch (error) {
        log.error("a listener of the configuration failed", { error });
      }
    }
  };
  return {
    path,
    get settings() {
      return current.settings;
    },
    get text() {
      return current.text;
    },
    get content() {
      return current.content;
    },
    documentOf: (content) => (shared ? withSharedPart(content, shared) : content),
    resolve,
    replace,
    share(document) {
      atBoot = resolveSettings(withSharedPart(current.content, document), overrides);
      shared = document;
      current = { ...current, settings: atBoot };
    },
    replaceShared(document) {
      const { text: sameText, content } = current;
      replace(resolve(withSharedPart(content, document)), sameText, { content, shared: document });
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
