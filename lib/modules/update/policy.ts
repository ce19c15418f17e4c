import type { UpdatePolicy } from "../../core/schema/update-shape.ts";

/** The facts about build and environment that decide about updates. */
export interface UpdateFacts {
  version: string;
  updates: { readonly disabled: boolean; readonly prerelease: boolean; readonly unattended: boolean };
}

/**
 * The channel follows the running build: a released rc build stays on rc, a released stable build on stable. Only a
 * build that was never released follows configuration and environment.
 */
export function updatePolicy(
  { version, updates }: UpdateFacts,
  config: { enabled: boolean; channel: "stable" | "rc" },
): UpdatePolicy {
  const configured = updates.prerelease ? "rc" : config.channel;
  return {
    enabled: config.enabled && !updates.disabled,
    channel: isReleased(version) ? (version.includes("-rc") ? "rc" : "stable") : configured,
    nudges_suppressed: updates.unattended,
  };
}

function isReleased(version: string): boolean {
  return /^v?\d+\.\d+\.\d+(-rc\.?\d*)?$/.test(version) && !/^v?0\.0\.0/.test(version);
}
