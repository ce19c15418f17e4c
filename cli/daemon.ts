import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import type { Api } from "#handlers/routes.gen.ts";
import { type Call, client, type Send } from "#lib/client/client.ts";
import { RestError } from "#lib/client/error.ts";
import { findProxy } from "#lib/client/find-proxy.ts";
import { http } from "#lib/client/http.ts";
import { type Stream, stream } from "#lib/client/stream.ts";
import type { Globals } from "./args.ts";
import type { Surroundings } from "./cli.ts";
import { UsageError } from "./exit.ts";
import { AGENT } from "./version.ts";

/**
 * Sends requests to the running proxy, which is located at the first request. A proxy on this machine must use the
 * configuration file that the command line names.
 */
export function daemon(globals: Globals, { env }: Pick<Surroundings, "env">): Send {
  let send: Send | undefined;
  let checked: Promise<void> | undefined;
  return async (request) => {
    send ??= http(findProxy({ ...globals, env }), AGENT);
    checked ??= requireNamedConfig(globals, { env, signal: request.signal });
    await checked;
    return await send(request);
  };
}

/**
 * Does what `requireConfig` does if the command line names a configuration file and the proxy runs on this machine.
 *
 * @throws like `requireConfig`
 */
export async function requireNamedConfig(
  globals: Globals,
  { env, signal }: Pick<Surroundings, "env" | "signal">,
): Promise<void> {
  if (globals.config === undefined || globals.url || env.SERVICE_URL) return;
  const send = http(findProxy({ ...globals, env }), AGENT);
  await requireConfig(caller(send, signal), globals.config);
}

/**
 * Rejects a command that names another configuration file than the running proxy uses: proxies find each other by the
 * data directory, so the command would read and change the wrong file.
 *
 * @throws UsageError, and the faults of a proxy that cannot be reached
 */
async function requireConfig(call: Call<Api>, config: string): Promise<void> {
  let used: string | undefined;
  try {
    ({ config_path: used } = await call("GET /api/v1/config", {}));
  } catch (error) {
    // The request of the command itself reports why the proxy rejects it.
    if (!(error instanceof RestError)) throw error;
  }
  if (used === undefined || real(used) === real(config)) return;
  throw new UsageError(
    `the running proxy uses the configuration file ${used}, not ${resolve(config)}; omit --config, or select another proxy with --data-dir`,
  );
}

/** The absolute path without symbolic links, as far as the file exists. */
function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}

/** Requests responses that are read in pieces. A proxy on this machine must use the named configuration file, too. */
export function streams(globals: Globals, { env }: Pick<Surroundings, "env">): Stream {
  return async function* (route, args, options) {
    await requireNamedConfig(globals, { env, signal: options.signal });
    yield* stream(findProxy({ ...globals, env }), AGENT)(route, args, options);
  };
}

/** Calls endpoints by route until Ctrl-C. Only the types of the endpoints are imported. */
export function caller(send: Send, signal: AbortSignal): Call<Api> {
  const call = client<Api>(send);
  return (route, args, options) => call(route, args, { signal, ...options });
}
