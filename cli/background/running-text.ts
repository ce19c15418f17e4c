import type { Cli } from "../cli.ts";
import type { RunningProxy } from "./running.ts";

/** Describes a running proxy and what can be done with it. */
export function runningText(
  { self }: Pick<Cli, "self">,
  { version, pid, listenAddr }: RunningProxy,
  is: string,
): string {
  const where = listenAddr === "" ? "" : ` at ${listenAddr}`;
  return `proxy ${version} ${is}${where}, process ${pid}\nstatus: ${self} status   log: ${self} logs -f   stop: ${self} down`;
}
