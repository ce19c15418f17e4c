import type { App } from "../../app.ts";
import type { Review } from "../../policy/disclosure.ts";

/** What a person has still to decide about a server; undefined when it is not configured. */
export function reviewOf({ config }: Pick<App, "config">, name: string): Review | undefined {
  const server = config.server(name);
  return server && { quarantined: config.quarantined(server), held: server.held === true };
}
