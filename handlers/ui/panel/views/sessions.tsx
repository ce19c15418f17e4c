import { useEffect, useState } from "preact/hooks";
import type { Data } from "../api.ts";
import { useLive } from "../live.ts";
import { Badge, Tag } from "../parts/badge.tsx";
import { Button } from "../parts/button.tsx";
import { Segments, segmentsOf } from "../parts/filter.tsx";
import { Page, Section } from "../parts/page.tsx";
import { Empty, Shown } from "../parts/states.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { count, plural, Time } from "../parts/time.tsx";
import { at, go, href, setQuery, usePlace } from "../route.ts";
import { MODES } from "./sessions/modes.ts";

export type Session = Data<"GET /api/v1/sessions">["sessions"][number];

/** The sessions of one client, caller and mode; its members are those of the latest session. */
interface ClientSessions extends Session {
  key: string;
  /** All of them, the latest first. */
  sessions: readonly Session[];
}

const WHICH = { all: "All", active: "Active", closed: "Closed" } as const;
type Which = keyof typeof WHICH;
const PAGE = 100;
const REFRESH_MS = 10_000;

/** Current and past clients, newest first. */
export default function Sessions() {
  const { query } = usePlace();
  const asked = query.get("show") ?? "all";
  const which: Which = asked in WHICH ? (asked as Which) : "all";
  const client = query.get("client") ?? "";
  const [page, setPage] = useState(0);
  const sessions = useLive("GET /api/v1/sessions", {
    query: { limit: String(PAGE), offset: String(page * PAGE), ...(which !== "all" && { status: which }) },
  });
  // No event reports the end of a session.
  useEffect(() => {
    const timer = setInterval(() => document.hidden || sessions.refresh(), REFRESH_MS);
    return () => clearInterval(timer);
  });
  return (
    <Page
      title="Sessions"
      about="MCP clients that have called a tool. A client without a call for five minutes is idle."
    >
      <div class="filters">
        <Segments
          label="Filter sessions"
          value={which}
          options={segmentsOf(WHICH)}
          onValue={(key) => {
            setPage(0);
            setQuery({ show: key === "all" ? "" : key, client: "" });
          }}
        />
        {client !== "" && (
          <Button small icon="close" onClick={() => setQuery({ client: "" })}>
            All clients
          </Button>
        )}
      </div>
      <Shown of={sessions}>
        {({ sessions: rows, total }) => (
          <>
            <Section flush>
              <Table
                label="Sessions"
                rows={client === "" ? byClient(rows) : single(rows.filter((s) => keyOf(s) === client))}
                columns={COLUMNS}
                rowKey={(s) => s.key}
                onOpen={(s) => (s.sessions.length > 1 ? setQuery({ client: s.key }) : void go(at("sessions", s.id)))}
                empty={
                  which === "all" ? (
                    <Empty
                      icon="sessions"
                      title="No client has called a tool yet"
                      action={
                        <a class="button main" href={href("/connect")}>
                          Connect a client
                        </a>
                      }
                    >
                      A client appears here after its first tool call, with its activity.
                    </Empty>
                  ) : (
                    <Empty
                      icon="filter"
                      title={which === "active" ? "No client is connected" : "No session has ended"}
                    />
                  )
                }
              />
            </Section>
            {total > PAGE && (
              <div class="row end">
                <span class="hint">
                  Sessions {count(page * PAGE + 1)} to {count(page * PAGE + rows.length)} of {count(total)}
                </span>
                <Button small blocked={page === 0 && "These are the newest."} onClick={() => setPage(page - 1)}>
                  Newer
                </Button>
                <Button
                  small
                  blocked={(page + 1) * PAGE >= total && "These are the oldest."}
                  onClick={() => setPage(page + 1)}
                >
                  Older
                </Button>
              </div>
            )}
          </>
        )}
      </Shown>
    </Page>
  );
}

export function SessionState({ session }: { session: Session }) {
  if (session.status === "closed") return <Badge tone="off">Closed</Badge>;
  return session.idle ? <Badge tone="wait">Idle</Badge> : <Badge tone="ok">Active</Badge>;
}

const keyOf = ({ client_name, actor, mode }: Session) => [client_name, actor, mode].join("|");

const single = (rows: readonly Session[]): ClientSessions[] => rows.map((s) => ({ ...s, key: s.id, sessions: [s] }));

/** One row for each client: many clients open a new session at every start. */
function byClient(rows: readonly Session[]): ClientSessions[] {
  return [...Map.groupBy(rows, keyOf)].map(([key, sessions]) => {
    const [latest] = [...sessions].sort((a, b) => b.last_activity.localeCompare(a.last_activity));
    const active =
      sessions.find((s) => s.status === "active" && !s.idle) ?? sessions.find((s) => s.status === "active");
    const first = sessions.map((s) => s.start_time).sort()[0];
    return {
      ...latest!,
      ...(active && { status: active.status, idle: active.idle }),
      ...(first !== undefined && { start_time: first }),
      tool_call_count: sessions.reduce((sum, s) => sum + s.tool_call_count, 0),
      key,
      sessions,
    };
  });
}

const COLUMNS: readonly Column<ClientSessions>[] = [
  {
    id: "client",
    title: "Client",
    width: "minmax(7rem, 1.5fr)",
    sort: (s) => s.client_name,
    cell: (s) => (
      <>
        <span class="name">{s.client_name || "unnamed"}</span>{" "}
        <span class="muted">
          {s.client_version}
          {s.sessions.length > 1 && ` · ${plural(s.sessions.length, "session")}`}
        </span>
      </>
    ),
    under: (s) => (
      <>
        {plural(s.tool_call_count, "call")}, <Time at={s.last_activity} />
      </>
    ),
  },
  { id: "state", title: "State", width: "5.5rem", sort: (s) => s.status, cell: (s) => <SessionState session={s} /> },
  {
    id: "mode",
    title: "Sees",
    width: "minmax(7rem, 1fr)",
    from: "medium",
    sort: (s) => s.mode,
    cell: (s) => <Tag>{MODES[s.mode] ?? s.mode}</Tag>,
  },
  {
    id: "actor",
    title: "Caller",
    width: "minmax(5rem, 1fr)",
    from: "medium",
    sort: (s) => s.actor,
    cell: (s) => <span class="muted">{s.actor}</span>,
  },
  {
    id: "began",
    title: "First call",
    width: "7.5rem",
    from: "wide",
    sort: (s) => s.start_time,
    cell: (s) => (
      <span class="muted">
        <Time at={s.start_time} />
      </span>
    ),
  },
  {
    id: "last",
    title: "Last call",
    width: "6.5rem",
    sort: (s) => s.last_activity,
    cell: (s) => (
      <span class="muted">
        <Time at={s.last_activity} />
      </span>
    ),
  },
  {
    id: "calls",
    title: "Calls",
    width: "4rem",
    align: "end",
    from: "medium",
    sort: (s) => s.tool_call_count,
    cell: (s) => count(s.tool_call_count),
  },
];
