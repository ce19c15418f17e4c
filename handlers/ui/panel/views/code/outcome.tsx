import { useLive } from "../../live.ts";
import { Badge } from "../../parts/badge.tsx";
import { Copy } from "../../parts/copy.tsx";
import { Visible } from "../../parts/diff.tsx";
import { Section } from "../../parts/page.tsx";
import { duration } from "../../parts/time.tsx";
import { at, href } from "../../route.ts";
import { ScriptCalls } from "../activity/script-calls.tsx";
import type { Run } from "./run.ts";

/** The progress and result of a run: its calls while it runs; then the result, console output and error position. */
export function Outcome({ run }: { run: Run }) {
  const { error, ms, cancelled, requestId } = run;
  const record = useLive(
    "GET /api/v1/activity",
    ms === undefined ? undefined : { query: { type: "code_execution", request_id: requestId, limit: "1" } },
  );
  const kept = record.data?.activities[0];
  const said = Array.isArray(kept?.metadata?.console) ? kept.metadata.console.join("\n") : "";
  const text = run.value === undefined ? "undefined" : JSON.stringify(run.value, null, 2);
  return (
    <>
      <Section
        title={run.job.script ? `Result of ${run.job.script}` : "Result"}
        actions={
          <>
            {ms === undefined ? (
              <Badge tone="wait">Running</Badge>
            ) : cancelled ? (
              <Badge tone="off">Cancelled</Badge>
            ) : error ? (
              <Badge tone="bad">{error.code}</Badge>
            ) : (
              <Badge tone="ok">Done</Badge>
            )}
            {ms !== undefined && <span class="muted">{duration(ms)}</span>}
            {kept && <a href={href(at("activity", kept.id))}>Record</a>}
          </>
        }
      >
        <div class="stack tight">
          <p class="unsaid" role="status">
            {ms === undefined ? "Running" : cancelled ? "Cancelled" : error ? `Failed: ${error.message}` : "Done"}
          </p>
          {ms === undefined && <p class="muted">Finished calls appear below.</p>}
          {cancelled && <p class="muted">The script was stopped. Effects of its completed calls remain.</p>}
          {error && (
            <>
              <p class="error-text">
                <Visible text={error.message} />
              </p>
              {error.stack && (
                <pre class="block" tabIndex={0} role="group" aria-label="Stack">
                  <Visible text={error.stack} />
                </pre>
              )}
            </>
          )}
          {ms !== undefined && !error && !cancelled && (
            <>
              <pre class="block tall" tabIndex={0} role="group" aria-label="Result">
                <Visible text={text} />
              </pre>
              <div class="row end">
                <Copy text={text} label="Copy the result" />
              </div>
            </>
          )}
          {said !== "" && (
            <>
              <h3>Console</h3>
              <pre class="block tall" tabIndex={0} role="group" aria-label="Console">
                <Visible text={said} />
              </pre>
            </>
          )}
        </div>
      </Section>
      <ScriptCalls of={{ request_id: requestId }} />
    </>
  );
}
