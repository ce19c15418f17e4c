import { useEffect, useState } from "preact/hooks";
import { useShortcuts } from "../keys.ts";
import { useLive } from "../live.ts";
import { Badge } from "../parts/badge.tsx";
import { Button } from "../parts/button.tsx";
import { Verdict } from "../parts/findings.tsx";
import type { Server } from "../parts/health.tsx";
import { Icon } from "../parts/icon.tsx";
import { Page, Section } from "../parts/page.tsx";
import { Empty, Shown } from "../parts/states.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { plural } from "../parts/time.tsx";
import { at, href, setQuery, usePlace } from "../route.ts";
import { release, remove } from "../server-acts.ts";
import { approve, block, keyOf, type Waiting } from "./approvals/decide.ts";
import { Review } from "./approvals/review.tsx";

/** What waits for a person: servers in quarantine, tools that are new or changed. */
export default function Approvals() {
  const tools = useLive("GET /api/v1/tools", {});
  const servers = useLive("GET /api/v1/servers", {});
  const { query } = usePlace();
  const only = query.get("server") ?? "";
  return (
    <Page
      title="Approvals"
      about="Nothing new reaches a model unseen: what a server offers, and every change of it, is called only once you approve it."
    >
      <Shown of={servers}>
        {({ servers: all }) => {
          const held = all.filter((s) => s.quarantined && s.enabled && (only === "" || s.name === only));
          return held.length === 0 ? null : <Quarantined servers={held} />;
        }}
      </Shown>
      <Shown of={tools}>
        {({ tools: all }) => {
          const off = new Set(servers.data?.servers.filter((s) => !s.enabled).map((s) => s.name));
          const waiting = all.filter(
            (t) =>
              !off.has(t.server_name) &&
              t.approval_status !== "approved" &&
              !t.disabled &&
              !t.config_denied &&
              (only === "" || t.server_name === only),
          );
          return (
            <Tools waiting={waiting} only={only} quiet={servers.data?.servers.some((s) => s.quarantined) ?? false} />
          );
        }}
      </Shown>
    </Page>
  );
}

function Quarantined({ servers }: { servers: readonly Server[] }) {
  return (
    <Section title="Servers in quarantine" flush>
      <ul class="lines">
        {servers.map((s) => (
          <li key={s.name}>
            <Icon name="shield" />
            <div class="grow">
              <a class="name" href={href(at("servers", s.name))}>
                {s.name}
              </a>{" "}
              <span class="muted">{s.tool_count > 0 && plural(s.tool_count, "tool")}</span>
              <code class="truncate muted">{[s.command, ...(s.args ?? []), s.url].filter(Boolean).join(" ")}</code>
            </div>
            <div class="row">
              <Button small kind="main" onClick={() => release(s)}>
                Release
              </Button>
              <Button small onClick={() => remove(s)}>
                Remove
              </Button>
            </div>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** From this width on the list and what is reviewed stand beside each other. */
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
  /** What is decided leaves the list, so the next one takes its place. */
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
          title={quiet ? "No tools are waiting" : "Nothing waits for you"}
          action={only && <Button onClick={() => setQuery({ server: "" })}>Show all servers</Button>}
        >
          New and changed tools appear here, with what is different about them.
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
              <Button small kind="main" onClick={() => decide(approve, chosen)}>
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
          label="Tools that wait"
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
    width: "5.75rem",
    cell: (t) => (t.approval_status === "changed" ? <Badge tone="bad">Changed</Badge> : <Badge tone="wait">New</Badge>),
  },
  { id: "scan", title: "Scan", width: "9.5rem", from: "medium", cell: (t) => <Verdict scan={t.scan} /> },
];
