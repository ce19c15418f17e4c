import { useRef } from "preact/hooks";
import { useDebounced } from "../debounced.ts";
import type { Answer } from "../live.ts";
import { useLive } from "../live.ts";
import { Search, Segments } from "../parts/filter.tsx";
import { Icon } from "../parts/icon.tsx";
import { Page, Section } from "../parts/page.tsx";
import { Empty, Failed, Shown } from "../parts/states.tsx";
import { Table } from "../parts/table.tsx";
import { count, listed, plural } from "../parts/time.tsx";
import { at, go, href, setQuery, usePlace } from "../route.ts";
import { LISTED, ranked } from "./tools/columns.tsx";
import { EVERY_TOOL, keyOf, type Tool } from "./tools/tool.ts";

const STATES = {
  all: ["All", () => true],
  ready: ["Ready", (t: Tool) => t.approval_status === "approved" && !t.disabled && !t.config_denied],
  waiting: ["Waiting", (t: Tool) => t.approval_status !== "approved" && !t.disabled && !t.config_denied],
  dangerous: ["Dangerous", (t: Tool) => t.scan?.verdict === "dangerous"],
  off: ["Off", (t: Tool) => t.disabled || t.config_denied],
} as const satisfies Record<string, readonly [string, (tool: Tool) => boolean]>;
type State = keyof typeof STATES;

/** All tools of all servers; a search gives the same results as a client's, in the same order. */
export default function Tools() {
  const tools = useLive("GET /api/v1/tools", EVERY_TOOL);
  const { query } = usePlace();
  const text = query.get("q") ?? "";
  const server = query.get("server") ?? "";
  const asked = query.get("state") ?? "all";
  const state: State = asked in STATES ? (asked as State) : "all";
  const fits = (t: Tool) => (server === "" || t.server_name === server) && STATES[state][1](t);
  return (
    <Page title="Tools" about="All tools of all servers. The search ranks them as it does for a model.">
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
                  Connected servers list their tools here.
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
                  placeholder="Describe a task, such as: read a file"
                  value={text}
                  onValue={(q) => setQuery({ q })}
                />
                <select
                  class="input"
                  aria-label="Server"
                  value={server}
                  onChange={(e) => setQuery({ server: e.currentTarget.value })}
                >
                  <option value="">All servers</option>
                  {servers.map((name) => (
                    <option key={name} value={name}>
                      {name}
                    </option>
                  ))}
                </select>
                <Segments
                  label="Filter tools"
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
                    {listed(failed_servers)} could not be asked for {failed_servers.length === 1 ? "its" : "their"}{" "}
                    tools.
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
        empty={<Empty icon="filter" title="No tools match the filters" />}
      />
    </Section>
  );
}

/** Maximum number of search results that are shown. */
const MAX_SHOWN = "50";

function Found({ text, fits }: { text: string; fits(tool: Tool): boolean }) {
  const q = useDebounced(text);
  const found = kept(useLive("GET /api/v1/index/search", { query: { q, limit: MAX_SHOWN } }), useRef(undefined));
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
                  <Empty icon="search" title="No tools match this search">
                    A client that searches for this finds nothing either. Try other words.
                  </Empty>
                }
              />
            </Section>
            {has_more && <p class="hint">The best {plural(Number(MAX_SHOWN), "tool")} matches are shown.</p>}
          </>
        );
      }}
    </Shown>
  );
}

/** Keeps the last response until the next one arrives, so that nothing flickers while the user types. */
function kept<T>(answer: Answer<T>, last: { current: T | undefined }): Answer<T> {
  if (answer.data !== undefined) last.current = answer.data;
  return { ...answer, data: answer.data ?? last.current };
}
