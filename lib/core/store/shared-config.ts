import type { JsonObject } from "../base/json-object.ts";

/** The configuration that all replicas of a cluster share. Each stored document is a version. */
export interface SharedConfig {
  /** The newest version that this replica knows; undefined if none was ever stored. */
  current(): SharedConfigVersion | undefined;
  /**
   * Stores a document, if the newest version still has the number `seen` (0: there is none).
   *
   * @returns the newest version: the stored one, or that of another replica that was first
   */
  replace(document: JsonObject, seen: number, by: string): Promise<SharedConfigVersion>;
  /** Calls `listener` when a newer version is known. @returns a function that unsubscribes */
  onChange(listener: () => void): () => void;
}

export interface SharedConfigVersion {
  /** Each version has the number of the one before plus 1. */
  readonly version: number;
  readonly document: JsonObject;
  /** Who stored it. */
  readonly by: string;
}
