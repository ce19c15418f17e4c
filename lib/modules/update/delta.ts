import type { UpdateShape } from "../../core/schema/update-shape.ts";
import type { Release } from "./releases.ts";
import { compareVersions, type Version } from "./version.ts";

/** How far behind a build is (spec 000 §2.7); unknown members are absent. */
export type Delta = Pick<
  UpdateShape,
  "behind_summary" | "releases_behind" | "releases_behind_saturated" | "weeks_behind"
>;

const WEEK_MS = 7 * 86_400_000;

/**
 * Computes how far a build is behind.
 *
 * @param releases the releases of the channel
 * @param latest the newest of them, newer than the running one
 * @returns empty for a build without a release record
 */
export function delta(releases: readonly Release[], running: Version, latest: Release): Delta {
  const newer = releases.filter(({ version }) => compareVersions(version, running) > 0).length;
  const current = releases.find(({ version }) => compareVersions(version, running) === 0);
  const saturated = !current && newer === releases.length;
  if (!current && !saturated) return {};
  const weeks =
    current?.publishedAt !== undefined && latest.publishedAt !== undefined
      ? Math.max(0, Math.floor((latest.publishedAt - current.publishedAt) / WEEK_MS))
      : undefined;
  return {
    behind_summary: summary(newer, saturated, weeks),
    releases_behind: newer,
    ...(saturated && { releases_behind_saturated: true }),
    ...(weeks !== undefined && { weeks_behind: weeks }),
  };
}

function summary(releases: number, saturated: boolean, weeks: number | undefined): string {
  const counted = `${releases}${saturated ? "+" : ""} ${releases === 1 && !saturated ? "release" : "releases"} behind`;
  if (weeks === undefined) return counted;
  return `${counted}, ${weeks === 0 ? "less than a week" : weeks === 1 ? "1 week" : `${weeks} weeks`} old`;
}
