import type { App } from "../../app.ts";
import type { ReviewState } from "../../policy/hidden.ts";

/** What a person has still to decide about a server; undefined when it is not configured. */
export function serverReview({ config }: Pick<App, "config">, name: string): ReviewState | undefined {
  const server = config.server(name);
  return server && { quarantined: config.quarantined(server), held: server.held === true };
}
