import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Refused } from "../api.ts";
import { type Answer, useLive } from "../live.ts";
import { Button } from "../parts/button.tsx";
import { Page, Section } from "../parts/page.tsx";
import { Empty } from "../parts/states.tsx";
import { toast } from "../parts/toast.tsx";
import { href, setQuery, usePlace } from "../route.ts";
import { type Given, InputForm, objectOf } from "./code/input.tsx";
import { Outcome } from "./code/outcome.tsx";
import { execute, type Job, newRequestId, type Run } from "./code/run.ts";
import { type Draft, Opened, Written } from "./code/script.tsx";
import { type Scripts, Stored } from "./code/stored-scripts.tsx";

const EXAMPLE = `// call_tool(server, tool, args) waits and returns { ok, result } or { ok: false, error }.
// The last expression, or a return, is the result.
const name = input.name ?? "world";
console.log("greeting", name);
({ hello: name });
`;
/** The script is kept while this browser page is open, and nowhere else. */
const kept: { draft: Draft; given: Given } = {
  draft: { code: EXAMPLE, language: "javascript" },
  given: { input: '{ "name": "world" }', timeout: "", calls: "" },
};

/** An editor for code that calls tools, with its execution and result. */
export default function Code() {
  const scripts = useLive("GET /api/v1/code/scripts", {});
  const off = scripts.error instanceof Refused && scripts.error.status === 403 && !scripts.data;
  if (!off) return <Workbench scripts={scripts} />;
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
}

function Workbench({ scripts }: { scripts: Answer<Scripts> }) {
  const open = usePlace().query.get("script") || undefined;
  const [draft, setDraft] = useState(kept.draft);
  const [given, setGiven] = useState(kept.given);
  const [run, setRun] = useState<Run>();
  // The editor keeps its own text; new text needs a new editor.
  const [round, setRound] = useState(0);
  const running = useRef<AbortController>(undefined);
  Object.assign(kept, { draft, given });
  useEffect(() => () => running.current?.abort(), []);
  const parsed = useMemo(() => objectOf(given.input), [given.input]);
  const busy = run !== undefined && run.ms === undefined;
  const wrong = "wrong" in parsed ? parsed.wrong : undefined;

  const start = async (what: Pick<Job, "code" | "script" | "language">) => {
    if (busy || "wrong" in parsed) return;
    const options = {
      ...(given.timeout !== "" && { timeout_ms: Math.round(Number(given.timeout) * 1000) }),
      ...(given.calls !== "" && { max_tool_calls: Number(given.calls) }),
    };
    const job: Job = { ...what, input: parsed.value, options };
    const begun: Run = { requestId: newRequestId(), job, startedAt: Date.now() };
    running.current = new AbortController();
    setRun(begun);
    setRun(await execute(begun, running.current.signal));
  };
  const runNow = () => void start(open === undefined ? draft : { script: open });
  const write = (next: Draft) => {
    setDraft(next);
    setRound((n) => n + 1);
    setQuery({ script: "" });
  };
  const takeOver = (name: string, next: Draft) => {
    const before = draft;
    write(next);
    toast(`${name} is in the editor`, { label: "Undo", run: () => write(before) });
  };
  return (
    <Page
      title="Code"
      about="Run scripts that call several tools and return one result, in the same sandbox as for clients."
      actions={
        busy ? (
          <Button icon="close" onClick={() => running.current?.abort()}>
            Cancel
          </Button>
        ) : (
          <Button
            kind="main"
            icon="play"
            blocked={
              (wrong !== undefined && "The input is not valid.") ||
              (open === undefined && draft.code.trim() === "" && "Enter a script first.")
            }
            onClick={runNow}
            title="Ctrl Enter"
          >
            {open === undefined ? "Run" : `Run ${open}`}
          </Button>
        )
      }
    >
      <div class="columns uneven">
        <div class="stack">
          {open === undefined ? (
            <Written key={round} draft={draft} run={run} onDraft={setDraft} onRun={runNow} onTake={takeOver} />
          ) : (
            <Opened key={open} name={open} onRun={runNow} onTake={(next) => takeOver(open, next)} />
          )}
          {run && <Outcome run={run} />}
        </div>
        <div class="stack">
          <InputForm given={given} wrong={wrong} onGiven={setGiven} />
          <Stored
            scripts={scripts}
            open={open}
            busy={busy || wrong !== undefined}
            onRun={(script) => void start({ script })}
          />
        </div>
      </div>
    </Page>
  );
}
