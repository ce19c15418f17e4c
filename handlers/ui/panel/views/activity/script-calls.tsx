import { useLive } from "../../live.ts";
import { Section } from "../../parts/page.tsx";
import { Shown } from "../../parts/states.tsx";
import { plural } from "../../parts/time.tsx";
import { type Span, Timeline } from "../../parts/timeline.tsx";
import { at, href } from "../../route.ts";
import { type Entry, subjectOf } from "./labels.ts";

/** A bar of the timeline; the time of a record is the end of the call. */
const spanOf = (r: Entry): Span => ({
  id: r.id,
  label: subjectOf(r),
  about: r.server_name,
  from: Date.parse(r.timestamp) - r.duration_ms,
  took: r.duration_ms,
  bad: r.status !== "success",
  to: at("activity", r.id),
});

/** A timeline of a script's calls. */
export function ScriptCalls({ of: { request_id } }: { of: Pick<Entry, "request_id"> }) {
  const children = useLive(
    "GET /api/v1/activity",
    request_id === undefined ? undefined : { query: { parent_id: request_id, limit: "100" } },
  );
  return (
    <Section title={children.data ? plural(children.data.total, "call") : "Calls"}>
      <Shown of={children} lines={3}>
        {({ activities, total }) =>
          activities.length === 0 ? (
            <p class="muted">The script called no tool.</p>
          ) : (
            <>
              <Timeline label="Calls by the script" spans={activities.map(spanOf)} />
              {total > activities.length && (
                <p class="hint">
                  The last {activities.length} of{" "}
                  <a href={href(`/activity?parent=${encodeURIComponent(request_id ?? "")}`)}>{total}</a>.
                </p>
              )}
            </>
          )
        }
      </Shown>
    </Section>
  );
}
