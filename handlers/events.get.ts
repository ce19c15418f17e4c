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
  // Without this header, reverse proxies buffer event streams.
  "X-Accel-Buffering": "no",
};

/** A stream of server-sent events, with content according to the caller's rights (spec 000 §6). */
export default endpoint("GET /events", {
  summary: "Stream events as server-sent events",
  access: "read",
  query: v.object({
    servers: choice(
      SERVERS_FORMS,
      "all",
      "content of servers.changed: all records, or those of the servers that changed",
    ),
    types: words(EVENT_TYPES, "only events of these kinds or with these prefixes, separated by commas"),
    server: text(128, "only events of this server"),
    last_event_id: text(64, "id of the last received event, for clients that cannot send the header Last-Event-ID"),
  }),
  data: v.pipe(v.string(), v.description("text/event-stream")),
  headers: { "Last-Event-ID": "id of the last received event; the stream continues after it" },
  answers: { json: false, types: ["text/event-stream"], events: EVENT_FRAMES },
  faults: ["too_many_streams"],
  run({ app, caller, query, c }) {
    // The body of a response to HEAD is discarded; a stream behind it would never end.
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
