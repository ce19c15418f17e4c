import { createHash, randomBytes } from "node:crypto";

/** Marks everything of ours at an engine. */
export const LABELS = {
  managed: "proxy.managed",
  instance: "proxy.instance",
  run: "proxy.run",
  server: "proxy.server",
  scanner: "proxy.scanner",
} as const;

/** Tells our containers from those of other proxies at the same engine. */
export interface Mark {
  /** The same for every run on one data directory. */
  readonly instance: string;
  /** Of this run alone. */
  readonly run: string;
}

export function markOf(dataDir: string): Mark {
  return {
    instance: createHash("sha256").update(dataDir).digest("hex").slice(0, 12),
    run: randomBytes(8).toString("hex"),
  };
}

export function labelsOf({ instance, run }: Mark): Record<string, string> {
  return { [LABELS.managed]: "true", [LABELS.instance]: instance, [LABELS.run]: run };
}
