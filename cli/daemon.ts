import type { Api } from "#handlers/routes.gen.ts";
import { type Call, client, type Send } from "#lib/client/client.ts";
import { findProxy } from "#lib/client/find-proxy.ts";
import { http } from "#lib/client/http.ts";
import { type Stream, stream } from "#lib/client/stream.ts";
import type { Globals } from "./args.ts";
import type { Surroundings } from "./cli.ts";
import { AGENT } from "./version.ts";

/** Sends requests to the running proxy, which is located at the first request. */
export function daemon(globals: Globals, { env }: Pick<Surroundings, "env">): Send {
  let send: Send | undefined;
  return (request) => {
    send ??= http(findProxy({ ...globals, env }), AGENT);
    return send(request);
  };
}

/** Requests responses that are read in pieces. */
export function streams(globals: Globals, { env }: Pick<Surroundings, "env">): Stream {
  return (route, args, options) => stream(findProxy({ ...globals, env }), AGENT)(route, args, options);
}

/** Calls endpoints by route until Ctrl-C. Only the types of the endpoints are imported. */
export function caller(send: Send, signal: AbortSignal): Call<Api> {
  const call = client<Api>(send);
  return (route, args, options) => call(route, args, { signal, ...options });
}
