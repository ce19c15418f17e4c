import { useEffect, useState } from "preact/hooks";
import { useShortcuts } from "../../keys.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Segments } from "../../parts/filter.tsx";
import { graveOf, Verdict } from "../../parts/findings.tsx";
import { Section } from "../../parts/page.tsx";
import { Empty } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { plural } from "../../parts/time.tsx";
import { setQuery } from "../../route.ts";
import { approve, block, keyOf, type Waiting } from "./decide.tsx";
import { Review } from "./review.tsx";

/** A new tool that only reads, by its own statement, and in which the scan found nothing. */
const isHarmlessRead = ({ approval_status, annotations, scan }: Waiting) =>
  approval_status === "pending_approval" && annotations?.readOnlyHint === true && scan?.findings.length === 0;

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

/** New and changed tools of released servers: the list, and the selected one with its differences. */
export function PendingTools({ waiting, only, quiet }: { waiting: readonly Waiting[]; only: string; quiet: boolean }) {
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
  const toggle = (key: string) => {
    const next = new Set(selected);
    if (!next.delete(key)) next.add(key);
    setSelected(next);
  };
  const harmless = waiting.filter(isHarmlessRead);
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
    { keys: "x", label: "Select the tool shown", run: () => shown && toggle(keyOf(shown)) },
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
          ) : harmless.length > 0 && harmless.length < waiting.length ? (
            <Button
              small
              title="New tools that only read, and without findings"
              onClick={() => setSelected(new Set(harmless.map(keyOf)))}
            >
              Select {plural(harmless.length, "harmless tool")}
            </Button>
          ) : (
            only && (
              <Button small kind="bare" icon="close" onClick={() => setQuery({ server: "" })}>
                All servers
              </Button>
            )
          )
        }
      >
        <ByServer waiting={waiting} />
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

/** Links to the tools of one server, if several have any. */
function ByServer({ waiting }: { waiting: readonly Waiting[] }) {
  const counts = Map.groupBy(waiting, (t) => t.server_name);
  if (counts.size < 2) return null;
  return (
    <div class="head">
      <Segments
        label="Filter by server"
        value=""
        options={[
          { value: "", text: "All", count: waiting.length },
          ...[...counts].map(([name, tools]) => ({ value: name, text: name, count: tools.length })),
        ]}
        onValue={(server) => setQuery({ server })}
      />
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
