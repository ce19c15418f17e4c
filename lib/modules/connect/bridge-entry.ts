import { basename } from "node:path";
import type { App } from "../../core/app.ts";
import { socketPath, socketPathExcess } from "../../core/base/socket-path.ts";
import type { Local, Reach } from "./client.ts";
import { endpointOf } from "./target.ts";

/**
 * The environment variable from which `proxy bridge` reads its credential. Unlike an argument, it does not appear in
 * process lists.
 */
const KEY_VARIABLE = "SERVICE_API_KEY";

/** The entry for a client that can only start programs: `proxy bridge`, which connects to this instance. */
export function bridgeReach(app: App, secret: string | undefined): Reach {
  const [command = "proxy", ...args] = app.boot.self;
  const where = hasSocket(app) ? ["--data-dir", app.boot.dataDir] : ["--url", endpointOf(app)?.url ?? ""];
  const env: Record<string, string> = secret === undefined ? {} : { [KEY_VARIABLE]: secret };
  return { kind: "stdio", command, args: [...args, "bridge", ...where], env };
}

/** Whether this instance can be reached without an HTTP listener. */
export function hasSocket({ boot, config }: App): boolean {
  return config.current().enable_socket && socketPathExcess(socketPath(boot.dataDir)) === 0;
}

/** The MCP endpoint to which a bridge program connects; undefined for any other program. */
export function bridgedAddress(app: App, { command, args }: Local): string | undefined {
  if (args.some((arg) => /mcp-remote/.test(arg))) return args.find((arg) => /^https?:\/\//.test(arg));
  const at = args.indexOf("bridge");
  const isProxy = [command, ...args.slice(0, at)].some((word) => PROGRAM.test(basename(word.replaceAll("\\", "/"))));
  if (at < 0 || !isProxy) return undefined;
  if (flagValue("--data-dir", args) === app.boot.dataDir) return endpointOf(app)?.url;
  return flagValue("--url", args);
}

const PROGRAM = /^(mcp)?proxy(\.exe|\.cjs|\.js)?$/i;

function flagValue(flag: string, args: readonly string[]): string | undefined {
  const at = args.indexOf(flag);
  return at < 0 ? undefined : args[at + 1];
}
