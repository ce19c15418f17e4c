import { useState } from "preact/hooks";
import { type Data, Refused } from "../api.ts";
import { useLive } from "../live.ts";
import type { PageProps } from "../pages.ts";
import { Badge, Tag } from "../parts/badge.tsx";
import { Button } from "../parts/button.tsx";
import { Visible } from "../parts/diff.tsx";
import { Segments } from "../parts/filter.tsx";
import { dangerRank, Findings, Verdict } from "../parts/findings.tsx";
import { Icon } from "../parts/icon.tsx";
import { Facts, Page, Section } from "../parts/page.tsx";
import { Empty, Failed, Loading } from "../parts/states.tsx";
import { duration, plural, sentence, Time } from "../parts/time.tsx";
import { at, href } from "../route.ts";
import { approveScanned } from "../trust/release.tsx";
import {
  cancel,
  type Report,
  reject,
  SEVERITIES,
  type Severity,
  STANDINGS,
  scan,
  standingText,
} from "./security/scan-actions.ts";
import { Risk } from "./security.tsx";

type Job = Data<"GET /api/v1/servers/{name}/scan/status">;

const none = (error: Error | undefined) => error instanceof Refused && error.code === "no_such_record";

/** The findings of discovery and of the last scan of one server, and the decision. */
export default function Scan({ name = "" }: PageProps) {
  const report = useLive("GET /api/v1/servers/{name}/scan/report", { params: { name }, query: {} });
  const job = useLive("GET /api/v1/servers/{name}/scan/status", { params: { name } });
  const running = job.data?.status === "running" || job.data?.status === "pending";
  const server = useLive("GET /api/v1/servers", {}).data?.servers.find((s) => s.name === name);
  const standing = report.data && { status: report.data.verdict, risk_score: report.data.risk_score };
  const clean = report.data?.verdict === "clean" && report.data.current;
  const start = running ? (
    <Button onClick={() => cancel(name)}>Stop the scan</Button>
  ) : (
    <Button kind={report.data ? "plain" : "main"} icon="shield" onClick={() => scan(name)}>
      {report.data?.job_id ? "Scan again" : "Scan"}
    </Button>
  );
  return (
    <Page
      title={name}
      crumbs={[["Security", "/security"]]}
      aside={standing && <Badge tone={STANDINGS[standing.status].tone}>{standingText(standing)}</Badge>}
      actions={
        report.data && (
          <>
            {start}
            <Button kind={clean ? "plain" : "main"} onClick={() => reject(name)}>
              Reject
            </Button>
            {server && (
              <Button
                kind={clean ? "main" : report.data.verdict === "dangerous" ? "bad" : "plain"}
                blocked={running && "A scan is running. Wait for its result, or stop it."}
                onClick={() => approveScanned(server)}
              >
                Approve
              </Button>
            )}
          </>
        )
      }
    >
      {running && (
        <div class="notice" role="status">
          <Icon name="wait" />
          <p class="grow">A scan is running.</p>
        </div>
      )}
      {report.data ? (
        <Found report={report.data} />
      ) : none(report.error) ? (
        <Section>
          <Empty icon="shield" title={`${name} has not had a full scan yet`} action={start}>
            The proxy scans the texts that a server lists; those findings are shown below. A full scan also reads the
            server's definition and, if available, its files. It runs no code of the server.
          </Empty>
        </Section>
      ) : report.error ? (
        <Failed error={report.error} retry={report.refresh} />
      ) : (
        <Loading />
      )}
      {!report.data && <FoundInTexts name={name} />}
      {job.data && <Ran job={job.data} />}
    </Page>
  );
}

/** The findings of discovery in the texts of tools, the most severe first. */
function FoundInTexts({ name }: { name: string }) {
  const { data } = useLive("GET /api/v1/servers/{name}/tools", { params: { name } });
  const tools = (data?.tools ?? []).filter((t) => t.scan && t.scan.findings.length > 0);
  const instructions = data?.instructions;
  const rows = [
    ...(instructions && instructions.scan.findings.length > 0 ? [["Instructions", instructions.scan] as const] : []),
    ...tools.sort((a, b) => dangerRank(a.scan) - dangerRank(b.scan)).map((t) => [t.name, t.scan] as const),
  ].slice(0, MAX_FOUND);
  if (rows.length === 0) return null;
  return (
    <Section title="Findings in the texts of its tools">
      <div class="stack">
        {rows.map(([title, scan]) => (
          <div key={title} class="stack tight">
            <h3>
              {title} <Verdict scan={scan} />
            </h3>
            <Findings scan={scan} />
          </div>
        ))}
      </div>
    </Section>
  );
}

/** Maximum number of tools with findings that are shown before a full scan. */
const MAX_FOUND = 50;

const ORDER: readonly Severity[] = ["critical", "high", "medium", "low", "info"];

function Found({ report }: { report: Report }) {
  const { findings, summary, server_name: name } = report;
  const [only, setOnly] = useState<Severity>();
  const shown = findings
    .filter((f) => only === undefined || f.severity === only)
    .sort((a, b) => ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity));
  return (
    <>
      {!report.current && (
        <div class="notice warn">
          <Icon name="warn" />
          <p class="grow">
            <a href={href(at("servers", name))}>{name}</a> or what it lists changed after this scan. Scan it again
            before you decide.
          </p>
        </div>
      )}
      {report.job_id === "" && (
        <div class="notice">
          <Icon name="about" />
          <p class="grow">
            {name} has not had a full scan yet: the proxy scanned only the texts that it lists. A full scan also reads
            the server's definition and, if available, its files. It runs no code of the server.
          </p>
        </div>
      )}
      <Section title="The scan">
        <Facts
          of={[
            ["Risk", <Risk key="risk" score={report.risk_score} />],
            ["Findings", `${summary.total} (${summary.dangerous} dangerous, ${plural(summary.warnings, "warning")})`],
            ["Scanned", <Time key="at" at={report.scanned_at} />],
            ["Scanners", `${report.scanners_run} of ${report.scanners_total} ran`],
            ["Complete", report.scan_complete ? "yes" : "no: some files or texts could not be read"],
            ["Decision", report.decision],
          ]}
        />
      </Section>
      {findings.length > 0 && (
        <Segments
          label="Severity"
          value={only ?? "all"}
          options={[
            { value: "all", text: "All", count: summary.total },
            ...ORDER.map((s) => ({
              value: s,
              text: s,
              count: summary[s],
              blocked: summary[s] === 0 && `No findings with severity ${s}.`,
            })),
          ]}
          onValue={(s) => setOnly(s === "all" ? undefined : (s as (typeof ORDER)[number]))}
        />
      )}
      <Section flush title={plural(shown.length, only ? `${only} finding` : "finding")}>
        {shown.length === 0 ? (
          <Empty icon="check" title="No findings">
            No scanner found anything in what it read. This does not prove that the server is safe.
          </Empty>
        ) : (
          <ul class="lines" aria-label="Findings">
            {shown.map((f, i) => (
              <li key={`${f.rule_id} ${f.location} ${i}`}>
                <div class="grow stack tight">
                  <div class="row">
                    <Badge tone={SEVERITIES[f.severity]}>{f.severity}</Badge>
                    <span class="name">{sentence(f.title)}</span>
                  </div>
                  <p class="muted">
                    <code>{f.rule_id}</code> in <Location of={f} server={name} />, by {f.scanner}
                    {f.package_name && `: ${f.package_name} ${f.installed_version ?? ""}`}
                  </p>
                  {f.evidence && (
                    <blockquote>
                      <Visible text={f.evidence} />
                    </blockquote>
                  )}
                </div>
                <Tag>{f.threat_type.replaceAll("_", " ")}</Tag>
              </li>
            ))}
          </ul>
        )}
      </Section>
    </>
  );
}

/** The location of a finding, with a link to its tool, prompt, resource or template. */
function Location({ of: { tool, kind, item, location }, server }: { of: Report["findings"][number]; server: string }) {
  if (tool !== undefined) return <a href={href(at("tools", server, tool))}>{location}</a>;
  if (kind === undefined || item === undefined) return location;
  return <a href={href(at("servers", server, "items"))}>{location}</a>;
}

const STATES = {
  completed: "ok",
  failed: "bad",
  skipped: "off",
  cancelled: "off",
  pending: "wait",
  running: "info",
} as const;

/** Scanner results in the last scan. */
function Ran({ job }: { job: Job }) {
  const { scan_context: read } = job;
  return (
    <Section
      flush
      title="Last run"
      actions={
        <span class="hint">
          {plural(read.tools, "tool")}
          {read.items !== undefined && <>, {plural(read.items, "prompt or resource", "prompts and resources")}</>} and{" "}
          {plural(read.total_files, "file")} read, <Time at={job.created_at} />
        </span>
      }
    >
      <ul class="lines dense" aria-label="Scanner results">
        {job.scanner_statuses.map((s) => (
          <li key={s.scanner_id}>
            <div class="grow">
              <code>{s.scanner_id}</code> {s.error && <span class="muted">{s.error}</span>}
            </div>
            <span class="row">
              {s.duration_ms !== undefined && <span class="muted">{duration(s.duration_ms)}</span>}
              <Badge tone={STATES[s.status]}>{s.status}</Badge>
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
