import type { UpdateShape } from "../../core/schema/update-shape.ts";

/** How the program was installed (spec 000 §2.7). */
export type InstallChannel = UpdateInfo["install_channel"];

/** The result of the last check for a newer release (spec 000 §2.7). */
export type UpdateInfo = UpdateShape;

/** Checks for newer releases every four hours and on request. */
export interface Updates {
  /** The last result; null before the first check. */
  latest(): UpdateInfo | null;
  /** Checks now, unless checks are disabled. Never fails: the result contains a failure. */
  refresh(): Promise<UpdateInfo | null>;
  close(): void;
}
