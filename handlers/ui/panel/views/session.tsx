import { useLive } from "../live.ts";
import type { PageProps } from "../pages.ts";
import { Tag } from "../parts/badge.tsx";
import { Facts, Page, Section } from "../parts/page.tsx";
import { Empty, Shown } from "../parts/states.tsx";
import { Table } from "../parts/table.tsx";
import { count, Time } from "../parts/time.tsx";
import { at, go, href } from "../route.ts";
import { COLUMNS } from "./activity/columns.tsx";
import { MODES } from "./sessions/modes.ts";
import { SessionState } from "./sessions.tsx";

/** One client's session with its activity. */
export default function SessionPage({ id = "" }: PageProps) {
  const answer = useLive("GET /api/v1/sessions/{id}", { params: { id } });
  const session = answer.data?.session;
  const records = useLive("GET /api/v1/activity", { query: { session_id: id, limit: "100" } });
  return (
    <Page
      title={session ? session.client_name || "Unnamed client" : "Session"}
      crumbs={[["Sessions", "/sessions"]]}
      aside={
        session && (
          <span class="row">
            <SessionState session={session} />
            <Tag>{MODES[session.mode] ?? session.mode}</Tag>
          </span>
        )
      }
    >
      <Shown of={answer} lines={3}>
        {({ session: s }) => (
          <>
            <Section>
              <Facts
                of={[
                  ["Version", s.client_version],
                  ["Caller", s.actor],
                  ["From", s.client_ip],
                  ["Started", <Time key="b" at={s.start_time} />],
                  ["Last call", <Time key="l" at={s.last_activity} />],
                  ["Ended", s.end_time && <Time key="e" at={s.end_time} />],
                  ["Tool calls", count(s.tool_call_count)],
                  [s.stateless ? "Record" : "Session", <code key="i">{s.id}</code>],
                ]}
              />
            </Section>
            <Section
              title="Activity"
              flush
              actions={<a href={href(`/activity?session=${encodeURIComponent(s.id)}`)}>Show in activity</a>}
            >
              <Shown of={records} lines={3}>
                {({ activities }) => (
                  <Table
                    label="Activity"
                    rows={activities}
                    columns={COLUMNS}
                    rowKey={(r) => r.id}
                    onOpen={(r) => void go(at("activity", r.id))}
                    empty={
                      <Empty icon="activity" title="Nothing yet">
                        Its records are older than the retention period.
                      </Empty>
                    }
                  />
                )}
              </Shown>
            </Section>
          </>
        )}
      </Shown>
    </Page>
  );
}
