import { useLive } from "../live.ts";
import type { PageProps } from "../pages.ts";
import { Badge } from "../parts/badge.tsx";
import { Button } from "../parts/button.tsx";
import { riskTone, type Standing } from "../parts/danger.ts";
import { Icon } from "../parts/icon.tsx";
import { Menu } from "../parts/menu.tsx";
import { Page, Section, Stat } from "../parts/page.tsx";
import { Empty, Shown } from "../parts/states.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { Tabs } from "../parts/tabs.tsx";
import { count, Time } from "../parts/time.tsx";
import { at, go } from "../route.ts";
import { cancel, cancelAll, reject, STANDINGS, scan, scanAll, standingText } from "./security/scan-actions.ts";
import { Scanners } from "./security/scanners.tsx";

/** The scan results of all servers, and the scanners. */
export default function Security({ tab = "servers" }: PageProps) {
  const queue = useLive("GET /api/v1/security/queue", {});
  const running = queue.data?.status === "running";
  return (
    <Page
      title="Security"
      about="Scans read the texts and files of each server and look for poisoned tools and malicious code."
      actions={
        running ? (
          <Button onClick={cancelAll}>Stop scanning</Button>
        ) : (
          <Button kind="main" icon="shield" onClick={scanAll}>
            Scan all servers
          </Button>
        )
      }
    >
      {running && queue.data && (
        <div class="notice" role="status">
          <Icon name="wait" />
          <p class="grow">
            {queue.data.completed + queue.data.failed} of {queue.data.total} servers scanned
            {queue.data.running.length > 0 && `, now ${queue.data.running.join(", ")}`}
          </p>
        </div>
      )}
      <Tabs
        label="Parts of this page"
        base="/security"
        current={tab}
        tabs={[
          { id: "servers", title: "Servers" },
          { id: "scanners", title: "Scanners" },
        ]}
      />
      {tab === "scanners" ? <Scanners /> : <Servers />}
    </Page>
  );
}

function Servers() {
  const overview = useLive("GET /api/v1/security/overview", {});
  return (
    <Shown of={overview}>
      {(o) => {
        const { critical, high, medium } = o.findings_by_severity;
        return (
          <>
            <section class="stats" aria-label="Summary">
              <Stat label="Scanned" value={`${count(o.servers_scanned)} of ${count(o.servers)}`} />
              <Stat
                label="Critical and high"
                value={count(critical + high)}
                {...(critical + high > 0 && { tone: "bad" as const })}
              />
              <Stat label="Medium" value={count(medium)} {...(medium > 0 && { tone: "warn" as const })} />
              <Stat
                label="Enabled scanners"
                value={`${o.scanners_enabled} of ${o.scanners_installed}`}
                to="/security/scanners"
              />
              <Stat label="Last full scan" value={o.last_scan_at ? <Time at={o.last_scan_at} /> : "none"} />
            </section>
            <Section flush>
              <Table
                label="Servers by risk"
                rows={o.by_server}
                columns={COLUMNS}
                rowKey={(s) => s.server_name}
                sort="-risk"
                onOpen={(s) => void go(at("security", "servers", s.server_name))}
                empty={<Empty icon="shield" title="No servers to scan yet" />}
              />
            </Section>
          </>
        );
      }}
    </Shown>
  );
}

const COLUMNS: readonly Column<Standing>[] = [
  {
    id: "name",
    title: "Server",
    width: "minmax(7rem, 1.4fr)",
    sort: (s) => s.server_name,
    cell: (s) => <span class="name">{s.server_name}</span>,
  },
  {
    id: "status",
    title: "Verdict",
    width: "8rem",
    sort: standingText,
    cell: (s) => <Badge tone={STANDINGS[s.status].tone}>{standingText(s)}</Badge>,
  },
  {
    id: "risk",
    title: "Risk",
    width: "minmax(5rem, 8rem)",
    from: "medium",
    sort: (s) => (s.status === "not_scanned" ? -1 : s.risk_score),
    cell: (s) => (s.status === "not_scanned" ? <span class="muted">–</span> : <Risk score={s.risk_score} />),
  },
  {
    id: "findings",
    title: "Findings",
    width: "5.5rem",
    from: "medium",
    align: "end",
    sort: (s) => s.findings,
    cell: (s) => count(s.findings),
  },
  {
    id: "note",
    title: "",
    width: "minmax(7rem, 1fr)",
    from: "medium",
    cell: (s) => (
      <span class="muted">
        {s.status !== "not_scanned" && !s.current && "changed since the scan"} {s.decision}
      </span>
    ),
  },
  {
    id: "acts",
    title: "",
    width: "2rem",
    align: "end",
    cell: (s) => (
      <Menu
        label={`Actions for ${s.server_name}`}
        items={[
          s.status === "scanning"
            ? { label: "Stop the scan", icon: "close", run: () => cancel(s.server_name) }
            : { label: "Scan", icon: "shield", run: () => scan(s.server_name) },
          { label: "Review", icon: "approvals", run: () => go(at("security", "servers", s.server_name)) },
          { label: "Reject", icon: "off", danger: true, run: () => reject(s.server_name) },
        ]}
      />
    ),
  },
];

/** A risk from 0 to 100 as a number and a bar: amber from 45, red from 70. */
export function Risk({ score }: { score: number }) {
  const tone = riskTone(score) ?? "";
  return (
    <span class={`score ${tone}`}>
      {score}
      <meter class={`bar ${tone}`} min={0} max={100} value={score} aria-label="Risk from 0 to 100" />
    </span>
  );
}
