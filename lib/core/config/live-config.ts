import type { JsonObject } from "../base/merge.ts";
import type { ChangedPath } from "./changed-paths.ts";
import type { Config, ServerConfig } from "./config.ts";
import type { ConfigHistory } from "./history.ts";

/** The wanted state: settings and servers. The only writer of the configuration file. */
export interface LiveConfig {
  /** The file this is read from and written to. */
  readonly path: string;
  readonly dataDir: string;
  /** The settings in force: defaults, file, environment, flags. Frozen; references unresolved. Read at the moment of use. */
  current(): Config;
  /** What the next start would serve: as `current()`, with restart-gated keys at their wanted values. */
  wanted(): Config;
  /** What the file alone says, defaults filled in: the document that changes are made to. Frozen. */
  file(): Config;
  /** The file's content as it stands in it. */
  raw(): Readonly<JsonObject>;
  /** What environment and command line say instead, as a part of a document. */
  overrides(): Readonly<JsonObject>;
  /** Another one for every other content of the file; of use in this process only. */
  revision(): string;
  /** Earlier contents of the file. */
  readonly history: ConfigHistory;
  server(name: string): ServerConfig | undefined;
  /** Whether a server counts as quarantined: its own key, else the switch for new servers. */
  quarantined(server: ServerConfig): boolean;
  /**
   * Changes the document: `change` edits a deep copy of the file's own content (without environment overrides), the
   * result is checked, written durably (temporary file, fsync, rename), swapped in and published. Changes run one
   * after the other.
   * @throws Fault config_invalid naming the key; whatever `change` throws; nothing is written then
   */
  update(change: (draft: Config) => void, by: string): Promise<Config>;
  /**
   * What a change would do to the document; nothing is written.
   * @throws as `update`
   */
  preview(change: (draft: Config) => void): Promise<ChangedPath[]>;
  /**
   * Puts the content in force back where an edit by hand left a file that cannot be used.
   * @returns the path under which the broken text is kept; undefined when the file can be used
   */
  setBrokenAside(): Promise<string | undefined>;
  /** Called after each swap, in order of subscription. */
  onChange(listener: (next: Config, previous: Config) => void): () => void;
  /** Why the last edit of the file by hand was refused; undefined while file and memory agree. */
  problem(): string | undefined;
  /** Keys in the file that this program does not know. */
  unknownKeys(): readonly string[];
  /** Restart-gated keys whose wanted value differs from the one served. */
  pendingRestart(): readonly string[];
  close(): Promise<void>;
}
