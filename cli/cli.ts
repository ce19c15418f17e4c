import type { Readable } from "node:stream";
import type { Api } from "#handlers/routes.gen.ts";
import type { Call, Send } from "#lib/client/client.ts";
import type { Stream } from "#lib/client/stream.ts";
import type { Globals } from "./args.ts";
import type { Output, Screen } from "./output.ts";

/** The environment of a command line; tests provide their own. */
export interface Surroundings {
  env: Readonly<Record<string, string | undefined>>;
  stdin: Readable;
  stdout: Screen;
  stderr: Screen;
  /** Aborts at Ctrl-C. */
  signal: AbortSignal;
}

/** The services that every command can use. */
export interface Cli extends Surroundings, Output {
  globals: Globals;
  /** The command that starts this program, with the flags that select the proxy. */
  self: string;
  /** Sends requests to the proxy: over its socket, or to `--url`. */
  send: Send;
  /** Requests a long or endless response. */
  stream: Stream;
  /** Calls an endpoint by its route, with types. */
  call: Call<Api>;
}
