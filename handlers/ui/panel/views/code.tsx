import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Data } from "../api.ts";
import { Refused } from "../api.ts";
import { type Answer, useLive } from "../live.ts";
import { Button } from "../parts/button.tsx";
import { Segments, segmentsOf } from "../parts/filter.tsx";
import { Icon } from "../parts/icon.tsx";
import { Page, Section } from "../parts/page.tsx";
import { Empty, Failed, Loading } from "../parts/states.tsx";
import { toast } from "../parts/toast.tsx";
import { href, setQuery, usePlace } from "../route.ts";
import { CodeEditor } from "./code/code-editor.tsx";
import type { Language } from "./code/editor.ts";
import { type Given, InputForm, objectOf } from "./code/input.tsx";
import { useKnown } from "./code/known.ts";
import { Outcome } from "./code/outcome.tsx";
import { execute, type Job, newRequestId, type Run, troubleOf } from "./code/run.ts";
import { type Scripts, Stored } from "./code/stored.tsx";

const EXAMPLE = `// call_tool(server, tool, args) waits and answers { ok, result } or { ok: false, error }.
// The last expression, or a return, is the result.
const name = input.name ?? "world";
console.log("greeting", name);
({ hello: name });
`;
const LANGUAGES = { javascript: "JavaScript", typescript: "TypeScript" } as const;

interface Draft {
  code: string;
  language: Language;
}

/** What is written stays as long as this page of the browser does; it is kept nowhere else. */
const kept: { draft: Draft; given: Given } = {
  draft: { code: EXAMPLE, language: "javascript" },
  given: { input: '{ "name": "world" }', timeout: "", calls: "" },
};

/** Code that calls tools, written, run and looked at. */
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
  // The editor holds its text; another one needs another editor.
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
            disabled={wrong !== undefined || (open === undefined && draft.code.trim() === "")}
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
            <Written key={round} draft={draft} run={run} onDraft={setDraft} onRun={runNow} />
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

/** The person's own script. */
function Written(props: { draft: Draft; run: Run | undefined; onDraft(draft: Draft): void; onRun(): void }) {
  const { draft, run, onDraft, onRun } = props;
  const known = useKnown();
  const latest = useRef(draft);
  latest.current = draft;
  const trouble = useMemo(() => run && troubleOf(run), [run]);
  return (
    <Section
      flush
      title="Script"
      actions={
        <>
          <Save draft={draft} />
          <Segments
            label="Language"
            value={draft.language}
            options={segmentsOf<Language>(LANGUAGES)}
            onValue={(language) => onDraft({ ...draft, language })}
          />
        </>
      }
    >
      <CodeEditor
        text={draft.code}
        language={draft.language}
        known={known}
        trouble={trouble}
        onText={(code) => onDraft({ ...latest.current, code })}
        onRun={onRun}
      />
    </Section>
  );
}

/** The script as a file: put among the stored ones, clients run it by its name. */
function Save({ draft: { code, language } }: { draft: Draft }) {
  const save = () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([code], { type: "text/plain" }));
    link.download = `script.${language === "typescript" ? "ts" : "js"}`;
    link.click();
    URL.revokeObjectURL(link.href);
  };
  return <Button small kind="bare" icon="download" label="Download the script" onClick={save} />;
}

/** A stored script: read here, run as it is, or taken over as one's own. */
function Opened({ name, onRun, onTake }: { name: string; onRun(): void; onTake(draft: Draft): void }) {
  const script = useLive("GET /api/v1/code/scripts/{name}", { params: { name } });
  const found = script.data;
  const known = useKnown();
  return (
    <Section
      flush
      title={name}
      actions={
        <>
          {found && (
            <Button small icon="copy" onClick={() => onTake(draftOf(found))}>
              Copy to the editor
            </Button>
          )}
          <Button small kind="bare" icon="close" label={`Close ${name}`} onClick={() => setQuery({ script: "" })} />
        </>
      }
    >
      {found ? (
        <>
          <p class="head hint">
            <Icon name="secrets" size={13} />
            <span class="grow">
              A stored script, as it would run now. It is changed where it lies, as a file.
              {found.masked && " What looks like a secret is masked here; it runs with the real value."}
            </span>
          </p>
          <CodeEditor
            key={found.source}
            readOnly
            text={found.source}
            language={found.language}
            known={known}
            trouble={undefined}
            onText={() => {}}
            onRun={onRun}
          />
        </>
      ) : script.error ? (
        <Failed error={script.error} retry={script.refresh} />
      ) : (
        <Loading lines={8} />
      )}
    </Section>
  );
}

type Known = Data<"GET /api/v1/code/scripts/{name}">;
const draftOf = ({ source, language }: Known): Draft => ({ code: source, language });
