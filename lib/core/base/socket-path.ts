import { createHash } from "node:crypto";
import { join } from "node:path";

/** Longest path a Unix socket can have, without its closing zero; macOS takes four bytes less than Linux. */
const MAX_BYTES = { darwin: 103, other: 107 };

/**
 * Where administrators on this machine reach the daemon of a data directory: a socket in it, or a named pipe on Windows
 * (spec 000 §1). The command line finds the daemon by the same rule.
 */
export function socketPath(dataDir: string, platform: NodeJS.Platform = process.platform): string {
  if (platform !== "win32") return join(dataDir, "mcpproxy.sock");
  return `\\\\.\\pipe\\mcpproxy-${createHash("sha256").update(dataDir.toLowerCase()).digest("hex").slice(0, 16)}`;
}

/** By how many bytes a path is too long for a socket; 0 when it fits. */
export function socketPathExcess(path: string, platform: NodeJS.Platform = process.platform): number {
  if (platform === "win32") return 0;
  const max = platform === "darwin" ? MAX_BYTES.darwin : MAX_BYTES.other;
  return Math.max(0, Buffer.byteLength(path) - max);
}
