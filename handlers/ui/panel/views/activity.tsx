import { useEffect, useRef, useState } from "preact/hooks";
import { address } from "../api.ts";
import { useLive } from "../live.ts";
import { Button } from "../parts/button.tsx";
import { Chart } from "../parts/chart.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Switch } from "../parts/field.tsx";
import { Segments } from "../parts/filter.tsx";
import { Icon } from "../parts/icon.tsx";
import { Page, Section } from "../parts/page.tsx";
import { Empty, Failed, Loading } from "../parts/states.tsx";
import { Table } from "../parts/table.tsx";
import { count } from "../parts/time.tsx";
import { at, go, setQuery, usePlace } from "../route.ts";
import { useSettled } from "../settled.ts";
import { COLUMNS } from "./activity/columns.tsx";
import { type Filters, useFeed } from "./activity/feed.ts";
import { STATUS, TYPES } from "./activity/words.ts";

const DAY_MS = 86_400_000;
const PERIODS = { "24h": ["24 hours", DAY_MS], "7d": ["7 days", 7 * DAY_MS], all: ["All", undefined] } as const;
type Period = keyof typeof PERIODS;
const SEVERITIES = ["critical", "high", "medium", "low"] as const;

/** What the address says of the filters, as the API takes them. */
function read(query: URLSearchParams): { filters: Filters; period: Period } {
  const said = (name: string) => query.get(name) || undefined;
  const asked = said("period") ?? "all";
  const period: Period = asked in PERIODS ? (asked as Period) : "all";
  const sensitive = said("sensitive");
  const members = {
    type: said("type"),
    server: said("server"),
    tool: said("tool"),
    status: said("status"),
    session_id: said("session"),
    request_id: said("request"),
    parent_id: said("parent"),
    sensitive_data: sensitive && "true",
    severity: sensitive && sensitive !== "any" ? sensitive : undefined,
  };
  return { filters: Object.fromEntries(Object.entries(members).filter(([, v]) => v !== undefined)), period };
}

/** Everything that happened, as it happens. */
export default function Activity() {
  const { query } = usePlace();
  const { filters, period } = read(query);
  const [paused, setPaused] = useState(false);
  const [exporting, setExporting] = useState(false);
  const asked = useRef<{ key: string; filters: Filters }>({ key: "", filters: {} });
  // Told once for each choice: a beginning that moves with the clock would ask anew all the time.
  const key = JSON.stringify([filters, period]);
  if (asked.current.key !== key) {
    const back = PERIODS[period][1];
    const since = back === undefined ? {} : { start_time: new Date(Date.now() - back).toISOString() };
    asked.current = { key, filters: { ...filters, ...since } };
  }
  const feed = useFeed(
    asked.current.filters,
    () => paused || (document.querySelector("main")?.scrollTop ?? 0) > SCROLLED,
  );
  const filtered = Object.keys(filters).length > 0 || period !== "all";
  return (
    <Page
      title="Activity"
      actions={
        <>
          <Button
            icon={paused ? "play" : "activity"}
            pressed={!paused}
            title={paused ? "Show what happens again" : "Keep the list still"}
            onClick={() => {
              setPaused(!paused);
              if (paused) feed.refresh();
            }}
          >
            {paused ? "Paused" : "Live"}
          </Button>
          <Button icon="download" disabled={feed.total === 0} onClick={() => setExporting(true)}>
            Export
          </Button>
        </>
      }
    >
      <Bar query={query} filtered={filtered} />
      <Calls filters={filters} period={period} />
      <Rows feed={feed} filtered={filtered} />
      {exporting && <Export filters={asked.current.filters} total={feed.total} onClose={() => setExporting(false)} />}
    </Page>
  );
}

/** Further down than this somebody reads, and nothing may move. (px) */
const SCROLLED = 200;

function Bar({ query, filtered }: { query: URLSearchParams; filtered: boolean }) {
  const servers = useLive("GET /api/v1/servers", {});
  const said = (name: string) => query.get(name) ?? "";
  const set = (name: string) => (event: { currentTarget: { value: string } }) =>
    setQuery({ [name]: event.currentTarget.value });
  const names = (servers.data?.servers ?? []).map((s) => s.name);
  if (said("server") && !names.includes(said("server"))) names.push(said("server"));
  const pick = (name: string, label: string, any: string, options: readonly (readonly [string, string])[]) => (
    <select class="input" aria-label={label} value={said(name)} onChange={set(name)}>
      <option value="">{any}</option>
      {options.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  );
  return (
    <div class="filters dense" role="search">
      <Segments
        label="How far back"
        value={said("period") || "all"}
        options={(Object.keys(PERIODS) as Period[]).map((p) => ({ value: p, text: PERIODS[p][0] }))}
        onValue={(p) => setQuery({ period: p === "all" ? "" : p })}
      />
      {pick("type", "What happened", "Everything", Object.entries(TYPES))}
      {pick(
        "server",
        "Server",
        "Every server",
        names.map((n) => [n, n]),
      )}
      {pick(
        "status",
        "How it went",
        "Any outcome",
        Object.entries(STATUS).map(([value, [word]]) => [value, word]),
      )}
      {pick("sensitive", "Sensitive data", "Sensitive or not", [
        ["any", "Sensitive data found"],
        ...SEVERITIES.map((s) => [s, `Found, ${s}`] as const),
      ])}
      <ToolName value={said("tool")} />
      {["session", "request", "parent"].map(
        (name) =>
          said(name) && (
            <Button
              key={name}
              small
              icon="close"
              label={`Stop filtering by ${name}`}
              onClick={() => setQuery({ [name]: "" })}
            >
              {name} {said(name).slice(0, 10)}…
            </Button>
          ),
      )}
      {filtered && (
        <Button small kind="bare" onClick={() => setQuery(Object.fromEntries([...query.keys()].map((k) => [k, ""])))}>
          Clear
        </Button>
      )}
    </div>
  );
}

/** Filters once the name is whole: the proxy looks for exactly this one. */
function ToolName({ value }: { value: string }) {
  const tools = useLive("GET /api/v1/tools", {});
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const settled = useSettled(text, 350);
  useEffect(() => {
    if (settled === text && settled !== value) setQuery({ tool: settled });
  }, [settled]);
  return (
    <>
      <input
        class="input"
        list="activity-tools"
        aria-label="Tool"
        placeholder="Tool"
        size={14}
        value={text}
        onInput={(e) => setText(e.currentTarget.value)}
      />
      <datalist id="activity-tools">
        {[...new Set((tools.data?.tools ?? []).map((t) => t.name))].sort().map((n) => (
          <option key={n} value={n} />
        ))}
      </datalist>
    </>
  );
}

/** Calls over time, by what of the filters is about calls. */
function Calls({ filters: { server, tool, status }, period }: { filters: Filters; period: Period }) {
  const named = Object.fromEntries(Object.entries({ server, tool, status }).filter(([, v]) => v !== undefined));
  const query = { sort: "calls" as const, top: "1", ...named };
  const usage = useLive("GET /api/v1/activity/usage", { query: { window: period, ...query } });
  // All there is may be a day or two, which bars of a day say little about.
  const young = period === "all" && usage.data !== undefined && usage.data.timeline.length < 3;
  const day = useLive("GET /api/v1/activity/usage", young ? { query: { window: "24h", ...query } } : undefined);
  const slots = (young ? day : usage).data?.timeline ?? [];
  if (usage.error && !usage.data) return <Failed error={usage.error} retry={usage.refresh} />;
  if (!slots.some((s) => s.calls > 0)) return null;
  return (
    <Section title={young ? "Calls in the last 24 hours" : "Calls over time"}>
      <Chart
        label={young ? "Calls in the last 24 hours" : "Calls over time"}
        height={110}
        times={slots.map((s) => Date.parse(s.start) / 1000)}
        lines={[
          { label: "Calls", tone: "accent", values: slots.map((s) => s.calls) },
          { label: "Failed", tone: "bad", values: slots.map((s) => s.errors) },
        ]}
      />
    </Section>
  );
}

function Rows({ feed, filtered }: { feed: ReturnType<typeof useFeed>; filtered: boolean }) {
  const { rows, total, error, loading, waits } = feed;
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = end.current;
    if (!element) return;
    const seen = new IntersectionObserver((entries) => entries.at(-1)?.isIntersecting && void feed.more(), {
      root: document.querySelector("main"),
      rootMargin: "1200px",
    });
    seen.observe(element);
    return () => seen.disconnect();
  }, [rows.length, total]);
  if (error && rows.length === 0) return <Failed error={error} retry={feed.refresh} />;
  if (loading && rows.length === 0) return <Loading />;
  return (
    <>
      {waits && (
        <div class="newer">
          <Button
            small
            kind="main"
            icon="refresh"
            onClick={() => {
              document.querySelector("main")?.scrollTo(0, 0);
              feed.refresh();
            }}
          >
            Show what is new
          </Button>
        </div>
      )}
      <Section flush>
        <Table
          label="Activity"
          rows={rows}
          columns={COLUMNS}
          rowKey={(r) => r.id}
          onOpen={(r) => void go(at("activity", r.id))}
          empty={
            filtered ? (
              <Empty icon="filter" title="Nothing fits the filters" />
            ) : (
              <Empty icon="activity" title="Nothing has happened yet">
                Every call, refusal, change and approval stands here as soon as it happens.
              </Empty>
            )
          }
        />
      </Section>
      {error && (
        <Failed
          error={error}
          retry={() => {
            feed.refresh();
            void feed.more();
          }}
        />
      )}
      <div ref={end} class="hint" role="status">
        {rows.length > 0 && (rows.length < total ? `${count(rows.length)} of ${count(total)}` : `All ${count(total)}`)}
      </div>
    </>
  );
}

/** The records that the filters leave, as a file. */
function Export({ filters, total, onClose }: { filters: Filters; total: number; onClose(): void }) {
  const [bodies, setBodies] = useState(false);
  const to = (format: "json" | "csv") =>
    address("GET /api/v1/activity/export", {
      query: { ...filters, format, ...(bodies && format === "json" && { include_bodies: "true" }) },
    });
  return (
    <Dialog
      title={`Export ${count(total)} ${total === 1 ? "record" : "records"}`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Close</Button>
          <a class="button" href={to("csv")} download>
            <Icon name="download" />
            CSV
          </a>
          <a class="button main" href={to("json")} download>
            <Icon name="download" />
            JSON Lines
          </a>
        </>
      }
    >
      <p class="muted">As they are filtered now, newest first. Secrets are masked in both.</p>
      <Switch
        label="With what was sent and answered"
        hint="In JSON Lines only; it can be much."
        checked={bodies}
        onChange={setBodies}
      />
    </Dialog>
  );
}
