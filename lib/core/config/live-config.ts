import type { JsonObject } from "../base/json-object.ts";
import type { ChangedPath } from "./changed-paths.ts";
import type { Config, ServerConfig } from "./config-keys.ts";
import type { ConfigHistory } from "./history.ts";

/** The wanted state: settings and servers. The only writer of the configuration file. */
export interface LiveConfig {
  /** The file this is read from and written to. */
  readonly path: string;
  readonly dataDir: string;
  /** The settings in force: defaults, file, environment, flags. Frozen; references unresolved. Read at the moment of use. */
  current(): Config;
  /** The configuration of the next start: `current()` with restart-gated keys at their wanted values. */
  wanted(): Config;
  /** The file's configuration without overrides, defaults filled in: the document that changes edit. Frozen. */
  file(): Config;
  /** The file's content, unchanged. */
  raw(): Readonly<JsonObject>;
  /** The overrides from environment and command line, as a part of a document. */
  overrides(): Readonly<JsonObject>;
  /** Differs for each content of the file; valid in this process only. */
  revision(): string;
  /** Earlier contents of the file. */
  readonly history: ConfigHistory;
  server(name: string): ServerConfig | undefined;
  /** Whether a server counts as quarantined: its own key, else the switch for new servers. */
  quarantined(server: ServerConfig): boolean;
  /**
   * Changes the document: `change` edits a deep copy of the file's own content (without environment overrides), the
   * result is checked, written durably (temporary file, fsync, rename), put in force and published. Changes run
   * serially.
   * @throws Fault config_invalid naming the key; whatever `change` throws; nothing is written then
   */
  update(change: (draft: Config) => void, by: string): Promise<Config>;
  /**
   * What a change would do to the document; nothing is written.
   * @throws as `update`
   */
  preview(change: (draft: Config) => void): Promise<ChangedPath[]>;
  /**
   * Writes the content in force back to the file after an edit by hand broke it.
   * @returns the path under which the broken text is kept; undefined when the file can be used
   */
  setBrokenAside(): Promise<string | undefined>;
  /** Called after each replacement of the settings, in order of subscription. */
  onChange(listener: (next: Config, previous: Config) => void): () => void;
  /** Why the last edit of the file by hand was rejected; undefined while file and memory agree. */
  problem(): string | undefined;
  /** Keys in the file that this program does not know. */
  unknownKeys(): readonly string[];
  /** Restart-gated keys whose wanted value differs from the one served. */
  pendingRestart(): readonly string[];
  close(): Promise<void>;
}
