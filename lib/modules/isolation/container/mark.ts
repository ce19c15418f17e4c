import { createHash, randomBytes } from "node:crypto";

/** Labels of everything that the proxy creates at an engine. */
export const LABELS = {
  managed: "proxy.managed",
  instance: "proxy.instance",
  run: "proxy.run",
  server: "proxy.server",
  scanner: "proxy.scanner",
} as const;

/** Distinguishes this proxy's containers from those of other proxies at the same engine. */
export interface Mark {
  /** Equal for all runs with one data directory. */
  readonly instance: string;
  /** Different for each run. */
  readonly run: string;
}

/** Makes the mark of this run. */
export function markOf(dataDir: string): Mark {
  return {
    instance: createHash("sha256").update(dataDir).digest("hex").slice(0, 12),
    run: randomBytes(8).toString("hex"),
  };
}

/** Returns the labels that containers of this run get. */
export function labelsOf({ instance, run }: Mark): Record<string, string> {
  return { [LABELS.managed]: "true", [LABELS.instance]: instance, [LABELS.run]: run };
}
