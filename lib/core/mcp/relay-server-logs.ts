import type { App } from "../app.ts";
import { clientLogMessage } from "../gateway/client-log-message.ts";
import { inScope } from "../policy/scope.ts";
import type { Caller } from "../schema/caller.ts";
import { DEFAULT_MESSAGE_LEVEL, isAtLeast } from "../schema/log-message.ts";
import type { ServerLogMessage } from "../upstream/upstream-logging.ts";
import { logMessageText } from "./log-message-text.ts";
import type { McpSessions } from "./sessions.ts";

/**
 * Sends log messages of servers that belong to no request to all listening sessions. (2026-07-28 clients have no
 * sessions and get only the messages of their requests.) @returns a function that stops it
 */
export function relayServerLogs(app: App, sessions: Pick<McpSessions, "all">): () => void {
  return app.upstreams.logging.subscribe((written) => {
    const { server, message } = written;
    const config = app.config.server(server);
    if (!config?.enabled || app.config.quarantined(config)) return;
    const call = { server, tool: "", request: { id: server, args: {} } };
    let text: string | undefined;
    for (const session of sessions.all()) {
      const outlet = session.outlets.at(-1);
      if (!outlet || !isAtLeast(message.level, session.logLevel ?? DEFAULT_MESSAGE_LEVEL)) continue;
      if (!mayRead(session.caller, written)) continue;
      if (text === undefined) {
        const shown = clientLogMessage(app, call, message);
        if (!shown) return;
        text = logMessageText(shown);
      }
      outlet.send(text);
    }
  });
}

function mayRead({ scope, user }: Caller, { server, user: owner }: ServerLogMessage): boolean {
  return inScope(scope, server) && (owner === undefined || owner === user?.id);
}
