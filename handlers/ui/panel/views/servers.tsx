import { useState } from "preact/hooks";
import { useShortcuts } from "../keys.ts";
import { useLive } from "../live.ts";
import { Tag } from "../parts/badge.tsx";
import { Button } from "../parts/button.tsx";
import { Search, Segments } from "../parts/filter.tsx";
import { HealthBadge, healthOf, needsAttention, type Server, waitingOf } from "../parts/health.tsx";
import { Menu, type MenuItem } from "../parts/menu.tsx";
import { Page, Section } from "../parts/page.tsx";
import { Empty, Shown } from "../parts/states.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { count, plural, Time } from "../parts/time.tsx";
import { at, go, setQuery, usePlace } from "../route.ts";
import { quarantine, release, remove, restart, setEnabled } from "../server-acts.ts";
import { AddServer } from "./servers/add.tsx";

const FILTERS = {
  all: ["All", () => true],
  attention: ["Attention", needsAttention],
  connected: ["Connected", (s: Server) => s.connected && s.enabled],
  off: ["Off", (s: Server) => !s.enabled],
} as const satisfies Record<string, readonly [string, (server: Server) => boolean]>;
type Filter = keyof typeof FILTERS;

/** Every upstream server: how it is, what it offers, what can be done about it. */
export default function Servers() {
  const servers = useLive("GET /api/v1/servers", {});
  const { query } = usePlace();
  const text = query.get("q") ?? "";
  const asked = query.get("show") ?? "all";
  const filter: Filter = asked in FILTERS ? (asked as Filter) : "all";
  const [adding, setAdding] = useState(query.get("add") !== null);
  useShortcuts([{ keys: "n", label: "Add a server", run: () => setAdding(true) }]);
  const add = (
    <Button kind="main" icon="plus" onClick={() => setAdding(true)}>
      Add server
    </Button>
  );
  return (
    <Page title="Servers" actions={add}>
      <Shown of={servers}>
        {({ servers: all }) => {
          if (all.length === 0)
            return (
              <Section>
                <Empty icon="servers" title="No servers yet" action={add}>
                  Servers bring the tools. Add one by hand, or paste the configuration of a client you already use.
                </Empty>
              </Section>
            );
          const rows = all.filter((s) => FILTERS[filter][1](s) && found(s, text));
          return (
            <>
              <div class="filters" role="search">
                <Search label="Search servers" value={text} onValue={(q) => setQuery({ q })} />
                <Segments
                  label="Which servers"
                  value={filter}
                  options={(Object.keys(FILTERS) as Filter[]).map((key) => ({
                    value: key,
                    text: FILTERS[key][0],
                    count: all.filter(FILTERS[key][1]).length,
                  }))}
                  onValue={(key) => setQuery({ show: key === "all" ? "" : key })}
                />
              </div>
              <Section flush>
                <Table
                  label="Servers"
                  rows={rows}
                  columns={COLUMNS}
                  rowKey={(s) => s.name}
                  sort="name"
                  onOpen={(s) => void go(at("servers", s.name))}
                  empty={<Empty icon="search" title="No server fits" />}
                />
              </Section>
            </>
          );
        }}
      </Shown>
      {adding && (
        <AddServer
          onClose={() => {
            setAdding(false);
            setQuery({ add: "" });
          }}
        />
      )}
    </Page>
  );
}

const found = ({ name, url = "", command = "", args = [] }: Server, text: string) =>
  `${name} ${url} ${command} ${args.join(" ")}`.toLowerCase().includes(text.toLowerCase());

/** Worst first, when sorted by health. */
const RANK = { bad: 0, warn: 1, wait: 2, info: 3, ok: 4, off: 5 } as const;

const COLUMNS: readonly Column<Server>[] = [
  {
    id: "name",
    title: "Name",
    width: "minmax(7rem, 1.2fr)",
    sort: (s) => s.name,
    cell: (s) => <span class="name">{s.name}</span>,
    under: (s) => (s.health.level === "healthy" ? plural(s.tool_count, "tool") : troubleOf(s)),
  },
  {
    id: "health",
    title: "State",
    width: "8.5rem",
    sort: (s) => RANK[healthOf(s).tone],
    cell: (s) => <HealthBadge server={s} />,
  },
  {
    id: "about",
    title: "About",
    width: "minmax(8rem, 2fr)",
    from: "medium",
    cell: (s) => <span class="muted">{troubleOf(s) ?? s.url ?? commandOf(s)}</span>,
  },
  {
    id: "tools",
    title: "Tools",
    width: "4rem",
    align: "end",
    from: "medium",
    sort: (s) => s.tool_count,
    cell: (s) => count(s.tool_count),
  },
  {
    id: "waiting",
    title: "Waiting",
    width: "5rem",
    align: "end",
    from: "wide",
    sort: waitingOf,
    cell: (s) =>
      waitingOf(s) > 0 ? (
        <span class="count">{count(waitingOf(s))}</span>
      ) : (
        <span class="muted">
          <span aria-hidden="true">–</span>
          <span class="unsaid">none</span>
        </span>
      ),
  },
  {
    id: "protocol",
    title: "Kind",
    width: "8rem",
    from: "wide",
    sort: (s) => s.protocol,
    cell: (s) => <Tag>{s.protocol}</Tag>,
  },
  {
    id: "since",
    title: "Connected",
    width: "7.5rem",
    from: "wide",
    sort: (s) => s.connected_at ?? "",
    cell: (s) => <span class="muted">{s.connected && s.connected_at ? <Time at={s.connected_at} /> : "–"}</span>,
  },
  {
    id: "acts",
    title: "",
    width: "2rem",
    align: "end",
    cell: (s) => <Menu label={`What to do with ${s.name}`} items={actsOf(s)} />,
  },
];

const troubleOf = ({ health, last_error }: Server) => health.detail ?? last_error;
const commandOf = ({ command = "", args = [] }: Server) => [command, ...args].join(" ");

/** What can be done with a server from the list. */
function actsOf(server: Server): MenuItem[] {
  return [
    server.enabled
      ? { label: "Switch off", icon: "off", run: () => setEnabled(server, false) }
      : { label: "Switch on", icon: "play", run: () => setEnabled(server, true) },
    { label: "Restart", icon: "refresh", disabled: !server.enabled, run: () => restart(server) },
    server.quarantined
      ? { label: "Release from quarantine", icon: "shield", run: () => release(server) }
      : { label: "Quarantine", icon: "shield", run: () => quarantine(server) },
    ...(waitingOf(server) > 0
      ? ([
          {
            label: `Review ${plural(waitingOf(server), "tool")}`,
            icon: "approvals",
            run: () => go(`/approvals?server=${encodeURIComponent(server.name)}`),
          },
        ] as const)
      : []),
    { label: "Remove", icon: "trash", danger: true, run: () => remove(server) },
  ];
}
