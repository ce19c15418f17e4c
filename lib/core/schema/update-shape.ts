import * as v from "valibot";

const about = v.description;

/** The result of the last check for a newer release (spec 000 §2.7). */
export const UpdateShape = v.object({
  available: v.boolean(),
  latest_version: v.exactOptional(v.string()),
  release_url: v.exactOptional(v.string()),
  checked_at: v.string(),
  is_prerelease: v.boolean(),
  check_error: v.exactOptional(v.pipe(v.string(), about("error of the last check"))),
  install_channel: v.pipe(
    v.picklist(["pkgmgr", "dmg", "deb", "rpm", "container", "go-install", "windows-installer", "tarball", "unknown"]),
    about("installation method"),
  ),
  update_command: v.exactOptional(v.pipe(v.string(), about("command that installs the update, if there is one"))),
  behind_summary: v.exactOptional(v.pipe(v.string(), about("distance to the latest version, in words"))),
  releases_behind: v.exactOptional(v.number()),
  releases_behind_saturated: v.exactOptional(v.pipe(v.literal(true), about("the count is a lower bound"))),
  weeks_behind: v.exactOptional(v.pipe(v.number(), about("full weeks; absent if unknown"))),
});
export type UpdateShape = v.InferOutput<typeof UpdateShape>;

/** Whether and how the proxy checks for releases (spec 000 §2.7). */
export const UpdatePolicy = v.object({
  enabled: v.boolean(),
  channel: v.picklist(["stable", "rc"]),
  nudges_suppressed: v.boolean(),
});
export type UpdatePolicy = v.InferOutput<typeof UpdatePolicy>;
