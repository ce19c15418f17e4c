import type { Api } from "#handlers/routes.gen.ts";
import { type Call, client } from "#lib/client/client.ts";
import { find } from "#lib/client/find.ts";
import { http } from "#lib/client/http.ts";
import type { Globals } from "./args.ts";
import type { Surroundings } from "./cli.ts";
import { version } from "./version.ts";

/** Asks the running proxy; it is looked for at the first call only. Types come from the endpoints, code does not. */
export function daemon(globals: Globals, { env, signal }: Pick<Surroundings, "env" | "signal">): Call<Api> {
  let call: Call<Api> | undefined;
  return (route, args, options) => {
    call ??= client<Api>(http(find({ ...globals, env }), `proxy-cli/${version}`));
    return call(route, args, { signal, ...options });
  };
}
