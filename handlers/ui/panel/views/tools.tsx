import { useRef } from "preact/hooks";
import type { Answer } from "../live.ts";
import { useLive } from "../live.ts";
import { Visible } from "../parts/diff.tsx";
import { Search, Segments } from "../parts/filter.tsx";
import { Icon } from "../parts/icon.tsx";
import { Page, Section } from "../parts/page.tsx";
import { Empty, Failed, Shown } from "../parts/states.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { count, plural, Time } from "../parts/time.tsx";
import { at, go, href, setQuery, usePlace } from "../route.ts";
import { useSettled } from "../settled.ts";
import { Hints, ToolState } from "./servers/tools.tsx";
import { Marked } from "./tools/marked.tsx";
import { keyOf, type Tool } from "./tools/tool.ts";

const STATES = {
  all: ["All", () => true],
  ready: ["Ready", (t: Tool) => t.approval_status === "approved" && !t.disabled && !t.config_denied],
  waiting: ["Waiting", (t: Tool) => t.approval_status !== "approved" && !t.disabled && !t.config_denied],
  off: ["Off", (t: Tool) => t.disabled || t.config_denied],
} as const satisfies Record<string, readonly [string, (tool: Tool) => boolean]>;
type State = keyof typeof STATES;

interface Ranked extends Tool {
  rank: number;
  score: number;
}

/** Every tool of every server; a search finds what a client would find, in the same order. */
export default function Tools() {
  const tools = useLive("GET /api/v1/tools", {});
  const { query } = usePlace();
  const text = query.get("q") ?? "";
  const server = query.get("server") ?? "";
  const asked = query.get("state") ?? "all";
  const state: State = asked in STATES ? (asked as State) : "all";
  const fits = (t: Tool) => (server === "" || t.server_name === server) && STATES[state][1](t);
  return (
    <Page title="Tools" about="What clients find here, and how: a search ranks every tool as it would for a model.">
      <Shown of={tools}>
        {({ tools: all, failed_servers }) => {
          if (all.length === 0)
            return (
              <Section>
                <Empty
                  icon="tools"
                  title="No tools yet"
                  action={
                    <a class="button main" href={href("/servers")}>
                      Go to the servers
                    </a>
                  }
                >
                  Tools come with servers: each one that is connected lists its own here.
                </Empty>
              </Section>
            );
          const servers = [...new Set(all.map((t) => t.server_name))].sort();
          const here = all.filter((t) => server === "" || t.server_name === server);
          return (
            <>
              <div class="filters" role="search">
                <Search
                  label="Search tools as a client would"
                  placeholder="Say what should be done: read a file"
                  value={text}
                  onValue={(q) => setQuery({ q })}
                />
                <select
                  class="input"
                  aria-label="Server"
                  value={server}
                  onChange={(e) => setQuery({ server: e.currentTarget.value })}
                >
                  <option value="">Every server</option>
                  {servers.map((name) => (
                    <option key={name} value={name}>
                      {name}
                    </option>
                  ))}
                </select>
                <Segments
                  label="Which tools"
                  value={state}
                  options={(Object.keys(STATES) as State[]).map((key) => ({
                    value: key,
                    text: STATES[key][0],
                    count: count(here.filter(STATES[key][1]).length),
                  }))}
                  onValue={(key) => setQuery({ state: key === "all" ? "" : key })}
                />
              </div>
              {failed_servers.length > 0 && (
                <p class="notice warn">
                  <Icon name="warn" />
                  <span class="grow">
                    Without the tools of {failed_servers.join(", ")}, which could not be asked for them.
                  </span>
                </p>
              )}
              {text.trim() === "" ? <Listed tools={all.filter(fits)} /> : <Found text={text.trim()} fits={fits} />}
            </>
          );
        }}
      </Shown>
    </Page>
  );
}

const open = (t: Tool) => void go(at("tools", t.server_name, t.name));

function Listed({ tools }: { tools: readonly Tool[] }) {
  return (
    <Section flush>
      <Table
        label="Tools"
        rows={tools}
        columns={LISTED}
        rowKey={keyOf}
        sort="name"
        onOpen={open}
        empty={<Empty icon="filter" title="No tool fits the filters" />}
      />
    </Section>
  );
}

/** As many as are shown of a search. */
const MOST = "50";

function Found({ text, fits }: { text: string; fits(tool: Tool): boolean }) {
  const q = useSettled(text);
  const found = kept(useLive("GET /api/v1/index/search", { query: { q, limit: MOST } }), useRef(undefined));
  if (found.error && !found.data) return <Failed error={found.error} retry={found.refresh} />;
  return (
    <Shown of={found}>
      {({ results, has_more, notice, query }) => {
        const rows = results.map(({ tool, score }, i) => ({ ...tool, score, rank: i + 1 })).filter(fits);
        const best = results[0]?.score ?? 1;
        return (
          <>
            {notice && (
              <p class="notice">
                <Icon name="shield" />
                <span class="grow">{notice}</span>
                <a href={href("/approvals")}>Approvals</a>
              </p>
            )}
            <Section flush>
              <Table
                label={`Tools found for ${query}`}
                rows={rows}
                columns={ranked(query, best)}
                rowKey={keyOf}
                onOpen={open}
                empty={
                  <Empty icon="search" title="Nothing fits these words">
                    A client that asks like this finds nothing either. Other words may do, or a tool of another server.
                  </Empty>
                }
              />
            </Section>
            {has_more && <p class="hint">The best {plural(Number(MOST), "tool")} are shown; more fit less well.</p>}
          </>
        );
      }}
    </Shown>
  );
}

/** The last answer stays until the next one is there, so that nothing flickers while somebody types. */
function kept<T>(answer: Answer<T>, last: { current: T | undefined }): Answer<T> {
  if (answer.data !== undefined) last.current = answer.data;
  return { ...answer, data: answer.data ?? last.current };
}

const name = (t: Tool) => <span class="name">{t.name}</span>;
const server = (t: Tool) => t.server_name;
const about = (t: Tool) => t.description.split("\n", 1)[0] ?? "";

const SERVER: Column<Tool> = {
  id: "server",
  title: "Server",
  width: "minmax(5.5rem, 0.8fr)",
  from: "medium",
  sort: (t) => t.server_name,
  cell: (t) => <span class="muted">{t.server_name}</span>,
};
const STATE: Column<Tool> = {
  id: "state",
  title: "State",
  width: "7rem",
  sort: (t) => `${t.config_denied} ${t.disabled} ${t.approval_status}`,
  cell: (t) => <ToolState tool={t} />,
};
const DOES: Column<Tool> = {
  id: "does",
  title: "Does",
  width: "5.5rem",
  from: "wide",
  cell: (t) => <Hints annotations={t.annotations} />,
};
const CALLS: Column<Tool> = {
  id: "calls",
  title: "Calls",
  width: "4.5rem",
  align: "end",
  from: "medium",
  sort: (t) => t.usage,
  cell: (t) => count(t.usage),
};

const LISTED: readonly Column<Tool>[] = [
  { id: "name", title: "Tool", width: "minmax(8rem, 1.2fr)", sort: (t) => t.name, cell: name, under: server },
  SERVER,
  STATE,
  {
    id: "about",
    title: "Description",
    width: "minmax(8rem, 2.5fr)",
    from: "medium",
    cell: (t) => (
      <span class="muted">
        <Visible text={about(t)} />
      </span>
    ),
  },
  DOES,
  CALLS,
  {
    id: "used",
    title: "Last used",
    width: "7rem",
    from: "wide",
    sort: (t) => t.last_used ?? "",
    cell: (t) => <span class="muted">{t.last_used ? <Time at={t.last_used} /> : "never"}</span>,
  },
];

/** As a client gets them: best first, each with its score and the words that stand in it. */
function ranked(query: string, best: number): readonly Column<Ranked>[] {
  return [
    { id: "rank", title: "#", width: "1.5rem", sort: (t) => t.rank, cell: (t) => <span class="muted">{t.rank}</span> },
    {
      id: "name",
      title: "Tool",
      width: "minmax(8rem, 1.2fr)",
      sort: (t) => t.name,
      cell: (t) => (
        <span class="name">
          <Marked text={t.name} query={query} />
        </span>
      ),
      under: server,
    },
    { ...SERVER, cell: (t) => <Marked text={t.server_name} query={query} /> },
    {
      id: "score",
      title: "Score",
      width: "5.5rem",
      sort: (t) => -t.score,
      cell: (t) => (
        <span class="score">
          <meter class="bar" min={0} max={best} value={t.score} aria-label={`Score of ${t.name}`} />
          {t.score.toFixed(2)}
        </span>
      ),
    },
    {
      id: "about",
      title: "Description",
      width: "minmax(8rem, 2.8fr)",
      from: "medium",
      cell: (t) => (
        <span class="muted">
          <Marked text={about(t)} query={query} />
        </span>
      ),
    },
    { ...STATE, from: "medium" },
    CALLS,
  ];
}
