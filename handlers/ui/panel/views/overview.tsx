import type { Data } from "../api.ts";
import { useLive } from "../live.ts";
import { Badge, type Tone } from "../parts/badge.tsx";
import { Chart } from "../parts/chart.tsx";
import { type Standing, useStandings } from "../parts/danger.ts";
import { healthOf, type Server } from "../parts/health.tsx";
import { Icon, type IconName } from "../parts/icon.tsx";
import { Page, Section, Stat } from "../parts/page.tsx";
import { Empty, Shown } from "../parts/states.tsx";
import { count, duration, plural, Time } from "../parts/time.tsx";
import { at, href } from "../route.ts";
import { useIsAdmin } from "../session.ts";
import { STATUS } from "./activity/labels.ts";
import { attention, type Servers } from "./overview/attention.ts";
import { Welcome } from "./overview/welcome.tsx";

type Activity = Data<"GET /api/v1/activity">["activities"][number];

/** The overview: the state of everything, and the most urgent problem. */
export default function Overview() {
  const servers = useLive("GET /api/v1/servers", {});
  return <Shown of={servers}>{(all) => (all.servers.length === 0 ? <Welcome /> : <Glance all={all} />)}</Shown>;
}

function Glance({ all }: { all: Servers }) {
  const { servers } = all;
  const usage = useLive("GET /api/v1/activity/usage", { query: { window: "24h", sort: "calls", top: "5" } });
  const recent = useLive("GET /api/v1/activity", { query: { type: "tool_call", limit: "8" } });
  const savings = useLive("GET /api/v1/stats/tokens", {});
  const status = useLive("GET /api/v1/status", {});
  const standings = useStandings();
  const toneOf = (s: Server) => RANK[healthOf(s, standings.get(s.name)).tone];
  return (
    <Page title="Overview">
      <Attention all={all} status={status.data} standings={standings} />
      <Numbers servers={servers} usage={usage.data} savings={savings.data} />
      <div class="columns uneven">
        <Section title="Calls in the last 24 hours">
          <Shown of={usage} lines={4}>
            {({ timeline }) => <Calls timeline={timeline} />}
          </Shown>
        </Section>
        <Section title="Most used tools" flush>
          <Shown of={usage} lines={4}>
            {({ tools }) => <MostUsed tools={tools.filter((t) => t.calls > 0)} />}
          </Shown>
        </Section>
      </div>
      <div class="columns uneven">
        <Section title="Servers" actions={<a href={href("/servers")}>All servers</a>}>
          <div class="tiles">
            {[...servers]
              .sort((a, b) => toneOf(a) - toneOf(b))
              .slice(0, MAX_TILES)
              .map((s) => (
                <Tile key={s.name} server={s} standing={standings.get(s.name)} />
              ))}
          </div>
          {servers.length > MAX_TILES && (
            <p class="hint more">and {plural(servers.length - MAX_TILES, "other", "others")}</p>
          )}
        </Section>
        <Section title="Latest calls" flush actions={<a href={href("/activity")}>All activity</a>}>
          <Shown of={recent} lines={4}>
            {({ activities }) => <Latest activities={activities} />}
          </Shown>
        </Section>
      </div>
    </Page>
  );
}

const MAX_TILES = 24;
const RANK: Record<Tone, number> = { bad: 0, warn: 1, wait: 2, info: 3, ok: 4, off: 5 };
const TILE_ICONS: Record<Tone, IconName> = {
  bad: "bad",
  warn: "warn",
  wait: "shield",
  info: "wait",
  ok: "check",
  off: "off",
};

interface AttentionProps {
  all: Servers;
  status: Data<"GET /api/v1/status"> | undefined;
  standings: ReadonlyMap<string, Standing>;
}

/** A summary, and everything that needs attention, the most urgent first. */
function Attention({ all, status, standings }: AttentionProps) {
  const { servers } = all;
  const matters = attention(all, status, standings, useIsAdmin());
  const worst = matters[0]?.tone;
  if (worst === undefined)
    return (
      <div class="hero">
        <span class="hero-icon ok">
          <Icon name="check" size={20} />
        </span>
        <div>
          <h2>No problems</h2>
          <p class="muted">
            {plural(servers.filter((s) => s.connected && s.enabled).length, "server")} connected
            {status && `, up ${duration(status.uptime * 1000)}`}. Nothing needs your attention.
          </p>
        </div>
      </div>
    );
  return (
    <Section
      title={matters.length === 1 ? "1 item needs your attention" : `${matters.length} items need your attention`}
      flush
    >
      <ul class="lines">
        {matters.slice(0, 6).map(({ key, tone, icon, title, detail, path, verb }) => (
          <li key={key} class={tone}>
            <Icon name={icon} size={18} />
            <div class="grow">
              <strong>{title}</strong>
              {detail && <p class="muted">{detail}</p>}
            </div>
            <a class={`button small${tone === worst && key === matters[0]?.key ? " main" : ""}`} href={href(path)}>
              {verb}
            </a>
          </li>
        ))}
        {matters.length > 6 && (
          <li>
            <a href={href("/servers?show=attention")}>and {matters.length - 6} more</a>
          </li>
        )}
      </ul>
    </Section>
  );
}

function Numbers(props: {
  servers: readonly Server[];
  usage: Data<"GET /api/v1/activity/usage"> | undefined;
  savings: Data<"GET /api/v1/stats/tokens"> | undefined;
}) {
  const { servers, usage, savings } = props;
  const on = servers.filter((s) => s.enabled);
  const connected = on.filter((s) => s.connected).length;
  const calls = usage?.timeline.reduce((sum, slot) => sum + slot.calls, 0);
  const errors = usage?.timeline.reduce((sum, slot) => sum + slot.errors, 0);
  const rate = calls && errors !== undefined ? (errors / calls) * 100 : 0;
  return (
    <div class="stats">
      <Stat
        label="Servers"
        value={
          <>
            {connected}
            <small> / {on.length}</small>
          </>
        }
        note={connected === on.length ? "all connected" : "connected"}
        to="/servers"
      />
      <Stat
        label="Tools"
        value={count(on.reduce((sum, s) => sum + callableOf(s), 0))}
        note={`callable, of ${count(on.reduce((sum, s) => sum + s.tool_count, 0))} listed`}
        to="/tools"
      />
      <Stat label="Calls" value={calls === undefined ? "–" : count(calls)} note="in 24 hours" />
      <Stat
        label="Failed"
        value={errors === undefined ? "–" : count(errors)}
        note={calls ? `${rate.toFixed(rate < 10 ? 1 : 0)} % of the calls` : "in 24 hours"}
        {...(rate >= 10 && { tone: "bad" as const })}
      />
      <Stat
        label="Tokens saved"
        value={savings === undefined ? "–" : count(savings.saved_tokens)}
        note={
          savings && savings.saved_tokens > 0
            ? `per session, ${Math.round(savings.saved_tokens_percentage)} % less`
            : "with more tools"
        }
      />
    </div>
  );
}

/**
 * Number of tools that clients can call: those of connected servers that are not in quarantine, without waiting and
 * blocked ones.
 */
function callableOf({ connected, quarantined, held, tool_count, quarantine }: Server): number {
  if (!connected || quarantined || held) return 0;
  const { pending_count = 0, changed_count = 0, blocked_count = 0 } = quarantine ?? {};
  return Math.max(0, tool_count - pending_count - changed_count - blocked_count);
}

function Calls({ timeline }: { timeline: Data<"GET /api/v1/activity/usage">["timeline"] }) {
  if (timeline.every((slot) => slot.calls === 0))
    return (
      <Empty icon="activity" title="No calls yet">
        Calls appear here when a client calls a tool.
      </Empty>
    );
  return (
    <Chart
      label="Calls in the last 24 hours, by hour"
      height={208}
      times={timeline.map((slot) => Date.parse(slot.start) / 1000)}
      lines={[
        { label: "Calls", tone: "accent", values: timeline.map((slot) => slot.calls) },
        { label: "Failed", tone: "bad", values: timeline.map((slot) => slot.errors) },
      ]}
    />
  );
}

function MostUsed({ tools }: { tools: Data<"GET /api/v1/activity/usage">["tools"] }) {
  if (tools.length === 0) return <Empty icon="tools" title="No tools used yet" />;
  const most = Math.max(1, ...tools.map((t) => t.calls));
  return (
    <ul class="lines">
      {tools.map((t) => (
        <li key={`${t.server}:${t.tool}`}>
          <div class="grow">
            <span class="truncate">
              <span class="name">{t.tool}</span> <span class="muted">{t.server}</span>
            </span>
            <meter
              class="bar"
              min={0}
              max={most}
              value={t.calls}
              aria-label={`${t.tool}: ${plural(t.calls, "call")}`}
            />
          </div>
          <span>{count(t.calls)}</span>
        </li>
      ))}
    </ul>
  );
}

function Tile({ server, standing }: { server: Server; standing: Standing | undefined }) {
  const { tone, text } = healthOf(server, standing);
  return (
    <a class={`tile ${tone}`} href={href(at("servers", server.name))} title={server.health.detail ?? text}>
      <Icon name={TILE_ICONS[tone]} size={14} />
      <span class="truncate">{server.name}</span>
      <span class="muted">
        <span class="unsaid">{text}, </span>
        {count(server.tool_count)}
        <span class="unsaid"> tools</span>
      </span>
    </a>
  );
}

function Latest({ activities }: { activities: readonly Activity[] }) {
  if (activities.length === 0) return <Empty icon="activity" title="No recent calls" />;
  return (
    <ul class="lines dense">
      {activities.map((a) => (
        <li key={a.id} title={a.error_message}>
          <div class="grow truncate">
            <a class="name" href={href(at("activity", a.id))}>
              {a.tool_name}
            </a>{" "}
            <span class="muted">{a.server_name}</span>
          </div>
          {a.status !== "success" && <Badge tone={STATUS[a.status][1]}>{STATUS[a.status][0]}</Badge>}
          <span class="muted">
            {`${duration(a.duration_ms)} · `}
            <Time at={a.timestamp} />
          </span>
        </li>
      ))}
    </ul>
  );
}
