import type { Delta } from "./delta.ts";

/** How the program was installed (spec 000 §2.7). */
export type InstallChannel =
  | "pkgmgr"
  | "dmg"
  | "deb"
  | "rpm"
  | "container"
  | "go-install"
  | "windows-installer"
  | "tarball"
  | "unknown";

/** What the last look for a newer release found (spec 000 §2.7). */
export interface UpdateInfo extends Delta {
  available: boolean;
  latest_version?: string;
  release_url?: string;
  checked_at: string;
  is_prerelease: boolean;
  /** Why the last look failed; what an earlier one found is kept beside it. */
  check_error?: string;
  install_channel: InstallChannel;
  update_command?: string;
}

/** Looks for newer releases, by itself every four hours or when asked. */
export interface Updates {
  /** Null before the first look. */
  latest(): UpdateInfo | null;
  /** Looks now, unless checks are off. Never fails: a failure is in the answer. */
  refresh(): Promise<UpdateInfo | null>;
  close(): void;
}
