import type { UpdateShape } from "../../core/schema/update-shape.ts";

/** How the program was installed (spec 000 §2.7). */
export type InstallChannel = UpdateInfo["install_channel"];

/** What the last look for a newer release found (spec 000 §2.7). */
export type UpdateInfo = UpdateShape;

/** Looks for newer releases, by itself every four hours or when asked. */
export interface Updates {
  /** Null before the first look. */
  latest(): UpdateInfo | null;
  /** Looks now, unless checks are off. Never fails: a failure is in the answer. */
  refresh(): Promise<UpdateInfo | null>;
  close(): void;
}
