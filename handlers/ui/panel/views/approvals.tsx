import { useEffect, useState } from "preact/hooks";
import { useShortcuts } from "../keys.ts";
import { useLive } from "../live.ts";
import { Badge } from "../parts/badge.tsx";
import { Button } from "../parts/button.tsx";
import { dangerFirst, isDangerous, type Standing, useStandings } from "../parts/danger.ts";
import { Visible } from "../parts/diff.tsx";
import { dangerRank, graveOf, Verdict } from "../parts/findings.tsx";
import { HealthBadge, type Server, troubleOf } from "../parts/health.tsx";
import { Icon } from "../parts/icon.tsx";
import { Page, Section } from "../parts/page.tsx";
import { Empty, Shown } from "../parts/states.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { plural } from "../parts/time.tsx";
import { at, href, setQuery, usePlace } from "../route.ts";
import { remove } from "../server-actions.ts";
import { ServerRemedy } from "../server-remedy.tsx";
import { Decision } from "../trust/decision.tsx";
import { commandLine } from "../trust/launch.tsx";
import { approve, block, keyOf, WAITING, type Waiting } from "./approvals/decide.tsx";
import { WaitingItems } from "./approvals/items.tsx";
import { Review } from "./approvals/review.tsx";

/** Pending decisions: servers in quarantine; new and changed tools, prompts and resources. */
export default function Approvals() {
  const tools = useLive("GET /api/v1/tools", WAITING);
  const servers = useLive("GET /api/v1/servers", {});
  const { query } = usePlace();
  const only = query.get("server") ?? "";
  return (
    <Page title="Approvals" about="No client can use a new or changed tool, prompt or template until you approve it.">
      <Shown of={servers}>
        {({ servers: all }) => {
          const inQuarantine = all.filter((s) => s.quarantined && s.enabled && (only === "" || s.name === only));
          return inQuarantine.length === 0 ? null : <Quarantined servers={inQuarantine} />;
        }}
      </Shown>
      <Shown of={tools}>
        {({ tools: all }) => {
          // Tools of a quarantined server are decided with its release, but the filter by server shows them too.
          const isElsewhere = (s: Server) => !s.enabled || (only === "" && s.quarantined);
          const elsewhere = new Set(servers.data?.servers.filter(isElsewhere).map((s) => s.name));
          const waiting = all
            .filter((t) => !elsewhere.has(t.server_name) && (only === "" || t.server_name === only))
            .sort((a, b) => dangerRank(a.scan) - dangerRank(b.scan));
          return (
            <Tools waiting={waiting} only={only} quiet={servers.data?.servers.some((s) => s.quarantined) ?? false} />
          );
        }}
      </Shown>
      <WaitingItems only={only} servers={servers.data?.servers} />
    </Page>
  );
}

/**
 * Dangerous servers come first. A server can be released after it has listed tools; otherwise the error and a remedy
 * are shown.
 */
function Quarantined({ servers }: { servers: readonly Server[] }) {
  const standings = useStandings();
  return (
    <Section title="Servers in quarantine" flush>
      <ul class="lines" aria-label="Servers in quarantine">
        {dangerFirst(servers, standings).map((s) => (
          <QuarantinedServer key={s.name} server={s} standing={standings.get(s.name)} />
        ))}
      </ul>
    </Section>
  );
}

function QuarantinedServer({ server, standing }: { server: Server; standing: Standing | undefined }) {
  const { name, command, args = [], url, tool_count, health } = server;
  const dangerous = isDangerous(standing);
  const failed = health.level !== "healthy";
  return (
    <li class={dangerous || health.level === "unhealthy" ? "bad" : ""}>
      <Icon name={dangerous || failed ? "bad" : "shield"} />
      <div class="grow">
        <a class="name" href={href(at("servers", name))}>
          {name}
        </a>{" "}
        <HealthBadge server={server} standing={standing} />{" "}
        {tool_count > 0 && (
          <a href={href(`/approvals?server=${encodeURIComponent(name)}`)}>{plural(tool_count, "tool")}</a>
        )}
        {(dangerous || failed || (tool_count === 0 && health.action !== "approve")) && (
          <p class="muted">{troubleOf(server, standing)}</p>
        )}
        <code class="block-code muted">
          <Visible text={url ?? commandLine(command === undefined ? [] : [command, ...args])} />
        </code>
      </div>
      <div class="row">
        {dangerous && (
          <a class="button small main" href={href(at("security", "servers", name))}>
            Review the scan
          </a>
        )}
        {failed && <ServerRemedy server={server} />}
        <Decision small server={server} standing={standing} />
        <Button small onClick={() => remove(server)}>
          Remove
        </Button>
      </div>
    </li>
  );
}

const anyGrave = (tools: readonly Waiting[]) => tools.some((t) => graveOf(t.scan).length > 0);

/** Minimum width for showing the list and the review side by side. */
const WIDE = "(min-width: 80rem)";

function useWide(): boolean {
  const [wide, setWide] = useState(() => matchMedia(WIDE).matches);
  useEffect(() => {
    const media = matchMedia(WIDE);
    const look = () => setWide(media.matches);
    media.addEventListener("change", look);
    return () => media.removeEventListener("change", look);
  }, []);
  return wide;
}

function Tools({ waiting, only, quiet }: { waiting: readonly Waiting[]; only: string; quiet: boolean }) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [opened, setOpened] = useState<string>();
  const wide = useWide();
  const chosen = waiting.filter((t) => selected.has(keyOf(t)));
  const index = waiting.findIndex((t) => keyOf(t) === opened);
  const shown = waiting[index] ?? (wide ? waiting[0] : undefined);
  const step = (by: number) => {
    const from = shown ? waiting.indexOf(shown) : 0;
    const next = waiting[Math.max(0, Math.min(waiting.length - 1, from + by))];
    if (next) setOpened(keyOf(next));
  };
  /** A decided entry leaves the list, so the next one takes its position. */
  const decide = async (how: typeof approve, tools: readonly Waiting[]) => {
    const last = tools.at(-1);
    const after = last && waiting.slice(waiting.indexOf(last) + 1).find((t) => !tools.includes(t));
    if (!(await how(tools))) return;
    setSelected(new Set());
    setOpened(after && keyOf(after));
  };
  useShortcuts([
    { keys: "j", label: "Next tool to review", run: () => step(1) },
    { keys: "k", label: "Previous tool to review", run: () => step(-1) },
    { keys: "a", label: "Approve the tool shown", run: () => shown && void decide(approve, [shown]) },
    { keys: "b", label: "Block the tool shown", run: () => shown && void decide(block, [shown]) },
  ]);
  if (waiting.length === 0)
    return (
      <Section>
        <Empty
          icon="approvals"
          title={
            only ? `No tools of ${only} are pending` : quiet ? "No other tools are pending" : "No tools are pending"
          }
          action={only && <Button onClick={() => setQuery({ server: "" })}>Show all servers</Button>}
        >
          {quiet && only === "" && "You review the tools of a quarantined server when you release it. "}
          New and changed tools of released servers appear here, each with its differences.
        </Empty>
      </Section>
    );
  const review = shown && (
    <Review
      key={keyOf(shown)}
      tool={shown}
      onApprove={() => decide(approve, [shown])}
      onBlock={() => decide(block, [shown])}
      {...(!wide && { onClose: () => setOpened(undefined) })}
    />
  );
  return (
    <div class={wide ? "review" : "stack"}>
      <Section
        flush
        title={plural(waiting.length, "tool") + (only && ` of ${only}`)}
        actions={
          chosen.length > 0 ? (
            <>
              <Button small onClick={() => decide(block, chosen)}>
                Block {chosen.length}
              </Button>
              <Button small kind={anyGrave(chosen) ? "bad" : "main"} onClick={() => decide(approve, chosen)}>
                Approve {chosen.length}
              </Button>
            </>
          ) : (
            only && (
              <Button small kind="bare" icon="close" onClick={() => setQuery({ server: "" })}>
                All servers
              </Button>
            )
          )
        }
      >
        <Table
          label="Pending tools"
          rows={waiting}
          columns={COLUMNS}
          rowKey={keyOf}
          selected={selected}
          onSelect={setSelected}
          onOpen={(t) => setOpened(keyOf(t))}
          {...(wide && shown && { current: keyOf(shown) })}
        />
      </Section>
      {review}
    </div>
  );
}

const COLUMNS: readonly Column<Waiting>[] = [
  {
    id: "tool",
    title: "Tool",
    width: "minmax(8rem, 1fr)",
    cell: (t) => (
      <>
        <span class="name">{t.name}</span> <span class="muted from-medium-inline">{t.server_name}</span>
      </>
    ),
    under: (t) => t.server_name,
  },
  {
    id: "kind",
    title: "Why",
    width: "7.5rem",
    cell: (t) =>
      t.scan?.verdict === "dangerous" ? (
        <Badge tone="bad">Dangerous</Badge>
      ) : t.approval_status === "changed" ? (
        <Badge tone="warn">Changed</Badge>
      ) : (
        <Badge tone="wait">New</Badge>
      ),
  },
  { id: "scan", title: "Scan", width: "9.5rem", from: "medium", cell: (t) => <Verdict scan={t.scan} /> },
];
