import type { JsonObject } from "../base/json-object.ts";
import type { SharedConfig } from "../store/shared-config.ts";
import type { ChangedPath } from "./changed-paths.ts";
import type { Config, ServerConfig } from "./config-keys.ts";
import type { ConfigHistory } from "./history.ts";

/** The configuration: settings and servers. Only this object writes the configuration file. */
export interface LiveConfig {
  /** The configuration file. */
  readonly path: string;
  readonly dataDir: string;
  /**
   * The settings in force, from defaults, file, environment and flags. Frozen, with unresolved references. Call it for
   * each use, because the settings may change.
   */
  current(): Config;
  /** The configuration after the next start: `current()` with the pending values of keys that require a restart. */
  wanted(): Config;
  /** The configuration in the file with defaults, without overrides: the document that changes edit. Frozen. */
  file(): Config;
  /** The content of the file, without defaults. */
  raw(): Readonly<JsonObject>;
  /** The overrides from environment and command line, as a part of a document. */
  overrides(): Readonly<JsonObject>;
  /** Differs for each content of the file; comparable only within this process, or between replicas that share it. */
  revision(): string;
  /** Earlier contents of the file. */
  readonly history: ConfigHistory;
  server(name: string): ServerConfig | undefined;
  /** True if a server is in quarantine: by its own key, otherwise by the setting for new servers. */
  quarantined(server: ServerConfig): boolean;
  /**
   * Changes the file: `change` edits a deep copy of the file's content (without environment overrides). The result is
   * checked, written durably (temporary file, fsync, rename), put in force and published. Only one change runs at a
   * time. In a cluster `change` is called again if another replica was first, so it sets anew what it sets outside.
   * @throws Fault config_invalid that names the key; whatever `change` throws; nothing is written then
   */
  update(change: (draft: Config) => void, by: string): Promise<Config>;
  /**
   * Returns what a change would do; nothing is written.
   * @throws the same as `update`
   */
  preview(change: (draft: Config) => void): Promise<ChangedPath[]>;
  /**
   * Writes the content in force to the file, after a person made the file invalid.
   * @returns the path under which the invalid text is kept; undefined if the file is valid
   */
  setBrokenAside(): Promise<string | undefined>;
  /** Called after each replacement of the settings, in order of subscription. */
  onChange(listener: (next: Config, previous: Config) => void): () => void;
  /** Why the last edit of the file by hand was rejected; undefined while file and memory agree. */
  problem(): string | undefined;
  /** Unknown keys in the file. */
  unknownKeys(): readonly string[];
  /** Keys whose new value takes effect at the next start. */
  pendingRestart(): readonly string[];
  /**
   * Takes the keys that replicas of a cluster share from their database, from now on. Called once, before anything
   * else uses the configuration.
   *
   * @throws Fault config_invalid
   */
  share(source: SharedConfig): Promise<void>;
  close(): Promise<void>;
}
