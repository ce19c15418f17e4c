import { useState } from "preact/hooks";
import { commandOf, packageOf } from "#lib/client/setup/package-name.ts";
import { useShortcuts } from "../keys.ts";
import { useLive } from "../live.ts";
import { Button } from "../parts/button.tsx";
import { type Standing, useStandings } from "../parts/danger.ts";
import { Search, Segments } from "../parts/filter.tsx";
import { HealthBadge, healthOf, needsAttention, type Server, troubleOf, waitingOf } from "../parts/health.tsx";
import { Menu, type MenuItem } from "../parts/menu.tsx";
import { Page, Section } from "../parts/page.tsx";
import { Empty, Shown } from "../parts/states.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { count, plural, Time } from "../parts/time.tsx";
import { at, go, setQuery, usePlace } from "../route.ts";
import { quarantine, remove, restart, setEnabled } from "../server-actions.ts";
import { confirmHeld } from "../trust/confirm-start.tsx";
import { isReleasable, release } from "../trust/release.tsx";
import { AddServer } from "./servers/add.tsx";

const FILTERS = {
  all: ["All", () => true],
  attention: ["Attention", needsAttention],
  connected: ["Connected", (s: Server) => s.connected && s.enabled],
  off: ["Off", (s: Server) => !s.enabled],
} as const satisfies Record<string, readonly [string, (server: Server, standing?: Standing) => boolean]>;
type Filter = keyof typeof FILTERS;

/** All upstream servers: state, tools and actions. */
export default function Servers() {
  const servers = useLive("GET /api/v1/servers", {});
  const standings = useStandings();
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
                  Servers provide the tools. Add one manually, or paste the configuration of a client that you already
                  use.
                </Empty>
              </Section>
            );
          const fits = (key: Filter) => all.filter((s) => FILTERS[key][1](s, standings.get(s.name)));
          const rows = fits(filter).filter((s) => found(s, text));
          return (
            <>
              <div class="filters" role="search">
                <Search label="Search servers" value={text} onValue={(q) => setQuery({ q })} />
                <Segments
                  label="Filter servers"
                  value={filter}
                  options={(Object.keys(FILTERS) as Filter[]).map((key) => ({
                    value: key,
                    text: FILTERS[key][0],
                    count: fits(key).length,
                  }))}
                  onValue={(key) => setQuery({ show: key === "all" ? "" : key })}
                />
              </div>
              <Section flush>
                <Table
                  label="Servers"
                  rows={rows.sort((a, b) => names.compare(a.name, b.name))}
                  columns={columnsOf(standings)}
                  rowKey={(s) => s.name}
                  sort="health"
                  onOpen={(s) => void go(at("servers", s.name))}
                  empty={<Empty icon="search" title="No servers match" />}
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

const names = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

/** Sort order by health, worst first; danger comes before everything. */
const RANK = { bad: 1, warn: 2, wait: 3, info: 4, ok: 5, off: 6 } as const;

const columnsOf = (standings: ReadonlyMap<string, Standing>): readonly Column<Server>[] => [
  {
    id: "name",
    title: "Name",
    width: "minmax(7rem, 1fr)",
    sort: (s) => s.name,
    cell: (s) => <span class="name">{s.name}</span>,
    under: (s) => troubleOf(s, standings.get(s.name)) ?? plural(s.tool_count, "tool"),
  },
  {
    id: "health",
    title: "State",
    width: "8.5rem",
    sort: (s) => {
      const { tone, text } = healthOf(s, standings.get(s.name));
      return text === "Dangerous" ? 0 : RANK[tone];
    },
    cell: (s) => <HealthBadge server={s} standing={standings.get(s.name)} />,
  },
  {
    id: "about",
    title: "About",
    width: "minmax(8rem, 3fr)",
    from: "medium",
    cell: (s) => {
      const trouble = troubleOf(s, standings.get(s.name));
      return (
        <span class="muted truncate" title={trouble ?? s.url ?? commandOf(s)}>
          {trouble ?? s.url ?? packageOf(s)}
        </span>
      );
    },
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
    id: "since",
    title: "Connected",
    width: "6.5rem",
    from: "wide",
    align: "end",
    sort: (s) => s.connected_at ?? "",
    cell: (s) => <span class="muted">{s.connected && s.connected_at ? <Time at={s.connected_at} /> : "–"}</span>,
  },
  {
    id: "acts",
    title: "",
    width: "2rem",
    align: "end",
    cell: (s) => <Menu label={`Actions for ${s.name}`} items={actsOf(s)} />,
  },
];

/** The actions for a server in the list. */
function actsOf(server: Server): MenuItem[] {
  return [
    server.enabled
      ? { label: "Disable", icon: "off", run: () => setEnabled(server, false) }
      : { label: "Enable", icon: "play", run: () => setEnabled(server, true) },
    {
      label: "Restart",
      icon: "refresh",
      blocked: (!server.enabled && "The server is disabled.") || (server.held === true && "Confirm the server first."),
      run: () => restart(server),
    },
    ...(server.held ? [{ label: "Review and confirm", icon: "shield", run: () => confirmHeld(server) } as const] : []),
    ...(isReleasable(server)
      ? [{ label: "Release from quarantine", icon: "shield", run: () => release(server) } as const]
      : []),
    ...(server.quarantined ? [] : [{ label: "Quarantine", icon: "shield", run: () => quarantine(server) } as const]),
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
