import type { Api } from "#handlers/routes.gen.ts";
import { type Call, client, type Send } from "#lib/client/client.ts";
import { findProxy } from "#lib/client/find-proxy.ts";
import { http } from "#lib/client/http.ts";
import { type Stream, stream } from "#lib/client/stream.ts";
import type { Globals } from "./args.ts";
import type { Surroundings } from "./cli.ts";
import { AGENT } from "./version.ts";

/** Reaches the running proxy; it is looked for at the first request only. */
export function daemon(globals: Globals, { env }: Pick<Surroundings, "env">): Send {
  let send: Send | undefined;
  return (asked) => {
    send ??= http(findProxy({ ...globals, env }), AGENT);
    return send(asked);
  };
}

/** Reaches it for answers that are read piece by piece. */
export function streams(globals: Globals, { env }: Pick<Surroundings, "env">): Stream {
  return (route, args, options) => stream(findProxy({ ...globals, env }), AGENT)(route, args, options);
}

/** Asks by route until Ctrl-C. Types come from the endpoints, code does not. */
export function caller(send: Send, signal: AbortSignal): Call<Api> {
  const call = client<Api>(send);
  return (route, args, options) => call(route, args, { signal, ...options });
}
