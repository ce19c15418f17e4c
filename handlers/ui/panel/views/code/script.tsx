import { useMemo, useRef } from "preact/hooks";
import type { Data } from "../../api.ts";
import { useLive } from "../../live.ts";
import { Button } from "../../parts/button.tsx";
import { Segments, segmentsOf } from "../../parts/filter.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Section } from "../../parts/page.tsx";
import { Failed, Loading } from "../../parts/states.tsx";
import { setQuery } from "../../route.ts";
import { CodeEditor } from "./code-editor.tsx";
import { useCompletions } from "./completions.ts";
import type { Language } from "./editor.ts";
import { Example } from "./example.tsx";
import { type Run, troubleOf } from "./run.ts";

const LANGUAGES = { javascript: "JavaScript", typescript: "TypeScript" } as const;

export interface Draft {
  code: string;
  language: Language;
}

/** The user's script. */
export function Written(props: {
  draft: Draft;
  run: Run | undefined;
  onDraft(draft: Draft): void;
  onRun(): void;
  onTake(name: string, draft: Draft): void;
}) {
  const { draft, run, onDraft, onRun, onTake } = props;
  const known = useCompletions();
  const latest = useRef(draft);
  latest.current = draft;
  const trouble = useMemo(() => run && troubleOf(run), [run]);
  return (
    <Section
      flush
      title="Script"
      actions={
        <>
          <Example onTake={onTake} />
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

/** Downloads the script as a file; stored in the scripts folder, clients can run it by name. */
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

/** A stored script, to read, run, or copy to the editor. */
export function Opened({ name, onRun, onTake }: { name: string; onRun(): void; onTake(draft: Draft): void }) {
  const script = useLive("GET /api/v1/code/scripts/{name}", { params: { name } });
  const found = script.data;
  const known = useCompletions();
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
              The current content of the stored script. To change it, edit its file.
              {found.masked && " Values that look like secrets are masked here. The script runs with the real values."}
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
