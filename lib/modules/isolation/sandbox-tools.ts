import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** The tool of this machine that isolates processes without a container engine. */
export interface SandboxTools {
  readonly kind: "bubblewrap" | "sandbox-exec";
  readonly path: string;
  /** Set if it can limit the size of in-memory file systems and forbid nested namespaces (bubblewrap 0.8 and newer). */
  readonly modern: boolean;
  /** Path of `prlimit`, which limits each process where control groups are not available. */
  readonly prlimit: string | undefined;
}

const USUAL = ["/usr/bin", "/bin", "/usr/local/bin", "/opt/homebrew/bin", "/usr/sbin"];
const TIMEOUT_MS = 3000;

/**
 * Finds the tool and runs it once, because some kernels forbid what it needs.
 *
 * @returns the tool, or why it is not available
 */
export async function findSandbox(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
): Promise<SandboxTools | string> {
  const find = (name: string) =>
    [...(env.PATH ?? "").split(delimiter), ...USUAL].map((folder) => join(folder, name)).find(existsSync);
  if (platform === "darwin") {
    const path = find("sandbox-exec");
    return path ? { kind: "sandbox-exec", path, modern: true, prlimit: undefined } : "sandbox-exec is missing";
  }
  if (platform !== "linux") return `the light sandbox does not support ${platform}`;
  const path = find("bwrap");
  if (!path) return "bubblewrap (bwrap) is not installed";
  const plain = ["--unshare-user", "--unshare-net", "--unshare-pid", "--ro-bind", "/", "/"];
  const failed = await tried(path, [...plain, "true"]);
  if (failed !== undefined) return `bubblewrap does not work here: ${failed}`;
  const more = ["--disable-userns", "--size", "65536", "--tmpfs", "/tmp"];
  const modern = (await tried(path, [...plain, ...more, "true"])) === undefined;
  return { kind: "bubblewrap", path, modern, prlimit: find("prlimit") };
}

function tried(path: string, args: readonly string[]): Promise<string | undefined> {
  return new Promise((done) => {
    execFile(path, args, { timeout: TIMEOUT_MS }, (error, _, stderr) =>
      done(error ? stderr.trim().split("\n")[0] || error.message : undefined),
    );
  });
}
