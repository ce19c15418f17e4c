import type { Readable } from "node:stream";
import type { Api } from "#handlers/routes.gen.ts";
import type { Call, Send } from "#lib/client/client.ts";
import type { Stream } from "#lib/client/stream.ts";
import type { Globals } from "./args.ts";
import type { Output, Screen } from "./output.ts";

/** The world a command line runs in; tests give their own. */
export interface Surroundings {
  env: Readonly<Record<string, string | undefined>>;
  stdin: Readable;
  stdout: Screen;
  stderr: Screen;
  /** Aborts at Ctrl-C. */
  signal: AbortSignal;
}

/** What every command can reach. */
export interface Cli extends Surroundings, Output {
  globals: Globals;
  /** How this program is called at the prompt, with what says which proxy is meant. */
  self: string;
  /** Carries requests to the proxy: over its socket, or to `--url`. */
  send: Send;
  /** Asks it for what is long or has no end. */
  stream: Stream;
  /** Asks it by route, typed. */
  call: Call<Api>;
}
