import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { call, type Data, Refused } from "../api.ts";
import { useLive } from "../live.ts";
import { Badge, Tag } from "../parts/badge.tsx";
import { Button } from "../parts/button.tsx";
import { Copy } from "../parts/copy.tsx";
import { Visible } from "../parts/diff.tsx";
import { Input, TextArea } from "../parts/field.tsx";
import { Page, Section } from "../parts/page.tsx";
import { Empty, Failed, Shown } from "../parts/states.tsx";
import { duration } from "../parts/time.tsx";
import { at, href } from "../route.ts";
import { CodeEditor, type Tools } from "./code/code-editor.tsx";
import type { Known, Language } from "./code/editor.ts";
import { execute, type Job, newRequestId, type Run, troubleOf } from "./code/run.ts";
import { Children } from "./story.tsx";

const EXAMPLE = `// call_tool(server, tool, args) waits and answers { ok, result } or { ok: false, error }.
// The last expression, or a return, is the result.
const name = input.name ?? "world";
console.log("greeting", name);
({ hello: name });
`;

/** What is written stays as long as this page of the browser does; it is kept nowhere else. */
const draft = { code: EXAMPLE, input: '{ "name": "world" }', language: "javascript" as Language };

/** Code that calls tools, written, run and looked at. */
export default function Code() {
  const scripts = useLive("GET /api/v1/code/scripts", {});
  const off = scripts.error instanceof Refused && scripts.error.status === 403 && !scripts.data;
  if (off)
    return (
      <Page title="Code">
        <Section>
          <Empty
            icon="code"
            title="Code execution is off"
            action={
              <a class="button main" href={href("/configuration?find=enable_code_execution")}>
                Configuration
              </a>
            }
          >
            {scripts.error?.message}
          </Empty>
        </Section>
      </Page>
    );
  return <Workbench scripts={scripts} />;
}

function Workbench({ scripts }: { scripts: ReturnType<typeof useLive<"GET /api/v1/code/scripts">> }) {
  const [code, setCode] = useState(draft.code);
  const [input, setInput] = useState(draft.input);
  const [language, setLanguage] = useState(draft.language);
  const [limits, setLimits] = useState({ timeout: "", calls: "" });
  const [run, setRun] = useState<Run>();
  const running = useRef<AbortController>(undefined);
  const known = useKnown();
  Object.assign(draft, { code, input, language });
  useEffect(() => () => running.current?.abort(), []);
  const parsed = useMemo(() => objectOf(input), [input]);
  const busy = run !== undefined && run.ms === undefined;
  const trouble = useMemo(() => run && troubleOf(run), [run]);

  const start = async (what: Pick<Job, "code" | "script" | "language">) => {
    if (busy || "wrong" in parsed) return;
    const options = {
      ...(limits.timeout !== "" && { timeout_ms: Math.round(Number(limits.timeout) * 1000) }),
      ...(limits.calls !== "" && { max_tool_calls: Number(limits.calls) }),
    };
    const job: Job = { ...what, input: parsed.value, options };
    const begun: Run = { requestId: newRequestId(), job, startedAt: Date.now() };
    running.current = new AbortController();
    setRun(begun);
    setRun(await execute(begun, running.current.signal));
  };
  const runCode = () => void start({ code, language });
  return (
    <Page
      title="Code"
      about="Scripts that call many tools and give back one answer, in the sandbox that clients use."
      actions={
        busy ? (
          <Button icon="close" onClick={() => running.current?.abort()}>
            Cancel
          </Button>
        ) : (
          <Button
            kind="main"
            icon="play"
            disabled={"wrong" in parsed || code.trim() === ""}
            onClick={runCode}
            title="Ctrl Enter"
          >
            Run
          </Button>
        )
      }
    >
      <div class="columns uneven">
        <div class="stack">
          <Section
            flush
            title="Script"
            actions={
              <div class="segments" role="group" aria-label="Language">
                {(["javascript", "typescript"] as const).map((l) => (
                  <Button key={l} small kind="bare" pressed={language === l} onClick={() => setLanguage(l)}>
                    {l === "javascript" ? "JavaScript" : "TypeScript"}
                  </Button>
                ))}
              </div>
            }
          >
            <CodeEditor
              text={code}
              language={language}
              known={known}
              trouble={trouble}
              onText={setCode}
              onRun={runCode}
            />
          </Section>
          {run && <Outcome run={run} />}
        </div>
        <div class="stack">
          <Section title="Input">
            <div class="stack">
              <TextArea
                label="The global input, a JSON object"
                mono
                rows={5}
                value={input}
                onValue={setInput}
                error={"wrong" in parsed ? parsed.wrong : undefined}
              />
              <div class="form two">
                <Input
                  label="Longest run (seconds)"
                  type="number"
                  min={1}
                  max={600}
                  placeholder="as configured"
                  value={limits.timeout}
                  onValue={(timeout) => setLimits({ ...limits, timeout })}
                />
                <Input
                  label="Most tool calls"
                  type="number"
                  min={0}
                  placeholder="as configured"
                  value={limits.calls}
                  onValue={(calls) => setLimits({ ...limits, calls })}
                />
              </div>
            </div>
          </Section>
          <Stored scripts={scripts} busy={busy || "wrong" in parsed} onRun={(script) => void start({ script })} />
        </div>
      </div>
    </Page>
  );
}

function objectOf(text: string): { value: unknown } | { wrong: string } {
  if (text.trim() === "") return { value: {} };
  try {
    const value: unknown = JSON.parse(text);
    const fits = typeof value === "object" && value !== null && !Array.isArray(value);
    return fits ? { value } : { wrong: "it must be an object" };
  } catch {
    return { wrong: "this is no JSON yet" };
  }
}

/** Servers, tools and parameters, for completion. */
function useKnown(): Known {
  const tools = useLive("GET /api/v1/tools", {});
  const latest = useRef<Tools>([]);
  latest.current = tools.data?.tools ?? [];
  return useMemo(() => {
    const callable = () =>
      latest.current.filter((t) => t.approval_status === "approved" && !t.disabled && !t.config_denied);
    const schemas = new Map<string, Promise<Data<"GET /api/v1/servers/{name}/tools">["tools"]>>();
    return {
      servers() {
        const counts = new Map<string, number>();
        for (const t of callable()) counts.set(t.server_name, (counts.get(t.server_name) ?? 0) + 1);
        return [...counts].map(([name, n]) => ({ name, about: n === 1 ? "1 tool" : `${n} tools` }));
      },
      tools: (server) =>
        callable()
          .filter((t) => t.server_name === server)
          .map((t) => ({ name: t.name, about: t.description })),
      async parameters(server, tool) {
        if (!latest.current.some((t) => t.server_name === server)) return [];
        const asked =
          schemas.get(server) ??
          call("GET /api/v1/servers/{name}/tools", { params: { name: server } }).then((d) => d.tools);
        schemas.set(server, asked);
        const found = await asked.catch(() => {
          schemas.delete(server);
          return [];
        });
        const { properties = {}, required = [] } = (found.find((t) => t.name === tool)?.schema ?? {}) as {
          properties?: Record<string, { type?: unknown; description?: unknown }>;
          required?: string[];
        };
        return Object.entries(properties).map(([name, { type, description }]) => ({
          name,
          about: [type, required.includes(name) && "required", description].filter(Boolean).join(", "),
          required: required.includes(name),
        }));
      },
    };
  }, []);
}

/** How a run went: while it goes, its calls; then its result, what it said, where it failed. */
function Outcome({ run }: { run: Run }) {
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
          {ms === undefined && <p class="muted">The calls stand below as they end.</p>}
          {cancelled && <p class="muted">It was stopped. What its calls had done by then stays done.</p>}
          {error && (
            <>
              <p class="error-text">
                <Visible text={error.message} />
              </p>
              {error.stack && (
                <pre class="block" tabIndex={0} role="group" aria-label="Where it failed">
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
      <Children of={{ request_id: requestId }} />
    </>
  );
}

function Stored({
  scripts,
  busy,
  onRun,
}: {
  scripts: ReturnType<typeof useLive<"GET /api/v1/code/scripts">>;
  busy: boolean;
  onRun(name: string): void;
}) {
  if (scripts.error && !scripts.data) return <Failed error={scripts.error} retry={scripts.refresh} />;
  return (
    <Section
      title="Stored scripts"
      flush
      actions={<Button small kind="bare" icon="refresh" label="Look again" onClick={scripts.refresh} />}
    >
      <Shown of={scripts} lines={2}>
        {({ dir, scripts: all }) =>
          all.length === 0 ? (
            <Empty icon="code" title="None yet">
              A file with .js or .ts in <code>{dir}</code> is a script that clients run by its name.
            </Empty>
          ) : (
            <ul class="lines dense">
              {all.map((s) => (
                <li key={s.name}>
                  <span class="grow">
                    <span class="name">{s.name}</span>
                    <span class="truncate muted" title={s.paths.join(", ")}>
                      {s.paths.join(", ")}
                    </span>
                  </span>
                  {s.status === "ok" ? (
                    <>
                      <Tag>{s.paths[0]?.endsWith(".ts") ? "TS" : "JS"}</Tag>
                      <Button small icon="play" label={`Run ${s.name}`} disabled={busy} onClick={() => onRun(s.name)} />
                    </>
                  ) : (
                    <Badge tone="warn">{s.status === "ambiguous" ? "two of this name" : (s.reason ?? s.status)}</Badge>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </Shown>
    </Section>
  );
}
