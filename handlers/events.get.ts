import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { EVENT_TYPES } from "#lib/core/api/event-stream/event-filter.ts";
import { openEventStream } from "#lib/core/api/event-stream/open-event-stream.ts";
import { SERVERS_FORMS } from "#lib/core/api/event-stream/servers.ts";
import { choice, text, words } from "#lib/core/api/query.ts";
import { textStream } from "#lib/core/api/text-stream.ts";
import { EVENT_FRAMES } from "#lib/core/schema/event-payload.ts";

const HEADERS = {
  "Content-Type": "text/event-stream",
  "Cache-Control": "no-cache, no-transform",
  // Reverse proxies hold event streams back otherwise.
  "X-Accel-Buffering": "no",
};

/** What happens, as it happens: a stream of server-sent events, rendered for whoever reads it (spec 000 §6). */
export default endpoint("GET /events", {
  summary: "Follow what happens, as server-sent events",
  access: "read",
  query: v.object({
    servers: choice(
      SERVERS_FORMS,
      "all",
      "what servers.changed carries: all records, or those of servers that changed",
    ),
    types: words(EVENT_TYPES, "only these kinds of events, or all that begin so, with commas between"),
    server: text(128, "only events about this server"),
    last_event_id: text(64, "where to go on, for readers that cannot send the header Last-Event-ID"),
  }),
  data: v.pipe(v.string(), v.description("text/event-stream")),
  headers: { "Last-Event-ID": "id of the last event that the reader has; the stream goes on after it" },
  answers: { json: false, types: ["text/event-stream"], events: EVENT_FRAMES },
  faults: ["too_many_streams"],
  run({ app, caller, query, c }) {
    // The body of an answer to HEAD is thrown away; a stream behind it would never end.
    if (c.req.method === "HEAD") return new Response(null, { headers: HEADERS });
    const feed = openEventStream(app, caller, {
      lastEventId: c.req.header("last-event-id") ?? query.last_event_id,
      servers: query.servers,
      filter: { types: query.types, server: query.server },
    });
    return new Response(
      textStream(feed, (error) => app.log.error("an event stream failed", { error })),
      { headers: HEADERS },
    );
  },
});
