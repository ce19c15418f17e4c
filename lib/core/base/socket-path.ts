import { createHash } from "node:crypto";
import { join } from "node:path";

/** Maximum length of a Unix socket's path, without its closing zero; macOS allows four bytes less than Linux. */
const MAX_BYTES = { darwin: 103, other: 107 };

/**
 * Returns the path at which the daemon of a data directory listens for administrators on this machine: a socket in that
 * directory, or a named pipe on Windows (spec 000 §1). The command line uses the same function to find the daemon.
 */
export function socketPath(dataDir: string, platform: NodeJS.Platform = process.platform): string {
  if (platform !== "win32") return join(dataDir, "mcpproxy.sock");
  return `\\\\.\\pipe\\mcpproxy-${createHash("sha256").update(dataDir.toLowerCase()).digest("hex").slice(0, 16)}`;
}

/** Returns by how many bytes a path is too long for a socket; 0 if it fits. */
export function socketPathExcess(path: string, platform: NodeJS.Platform = process.platform): number {
  if (platform === "win32") return 0;
  const max = platform === "darwin" ? MAX_BYTES.darwin : MAX_BYTES.other;
  return Math.max(0, Buffer.byteLength(path) - max);
}
