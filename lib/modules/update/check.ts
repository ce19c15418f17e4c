import type { UpdateShape } from "../../core/schema/update-shape.ts";
import { type Delta, delta } from "./delta.ts";
import type { Release } from "./releases.ts";
import { compareVersions, parseVersion } from "./version.ts";

type Verdict = Delta & Pick<UpdateShape, "available" | "latest_version" | "release_url" | "is_prerelease">;

/** Compares a build with the releases of its channel: `rc` includes pre-releases, `stable` does not (spec 000 §2.7). */
export function check(all: readonly Release[], version: string, channel: "stable" | "rc"): Verdict {
  const releases = all.filter(({ prerelease }) => channel === "rc" || !prerelease);
  const [first, ...others] = releases;
  if (!first) return { available: false, is_prerelease: false };
  const latest = others.reduce((best, one) => (compareVersions(one.version, best.version) > 0 ? one : best), first);
  const running = parseVersion(version);
  const available = running === undefined || compareVersions(latest.version, running) > 0;
  return {
    available,
    latest_version: latest.tag,
    ...(latest.url !== undefined && { release_url: latest.url }),
    is_prerelease: latest.prerelease,
    ...(available && running && delta(releases, running, latest)),
  };
}
