import { join } from "node:path";
import type { Config } from "../../core/config/config-keys.ts";

export interface SinkFacts {
  readonly asked: Config["audit_log"];
  /** Whether the multi-user edition is enabled. */
  readonly server: boolean;
  /** Whether standard output is free: the proxy serves HTTP, and no command prints to it. */
  readonly stdoutFree: boolean;
  readonly dataDir: string;
}

export type Sink = { to: "none" | "stdout"; notice?: string } | { to: "file"; path: string; notice?: string };

/** Chooses where the audit log is written (spec 001 §6): a path wins over standard output, unused while MCP uses it. */
export function sinkOf({ asked, server, stdoutFree, dataDir }: SinkFacts): Sink {
  if (!asked) {
    if (!server) return { to: "none" };
    return stdoutFree ? { to: "stdout" } : { to: "none", notice: OFF };
  }
  if (asked.enabled === false) return { to: "none" };
  if (asked.path) {
    const notice = asked.stdout ? "audit_log.path and audit_log.stdout are both set; path takes precedence" : undefined;
    return { to: "file", path: asked.path, ...(notice !== undefined && { notice }) };
  }
  if (!asked.stdout && !asked.enabled) return { to: "none" };
  const path = usualTrail(dataDir);
  if (asked.stdout || server) {
    if (stdoutFree) return { to: "stdout" };
    return {
      to: "file",
      path,
      notice: `standard output is not available for audit lines; they are written to ${path}`,
    };
  }
  return { to: "file", path };
}

/** The default path of the audit log in a data directory. */
export const usualTrail = (dataDir: string) => join(dataDir, "audit", "audit.log");

const OFF = "no audit log is written, because MCP uses standard output; to write one, set audit_log.path";
