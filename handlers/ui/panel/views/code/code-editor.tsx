import { useEffect, useRef, useState } from "preact/hooks";
import { type Data, reasonOf } from "../../api.ts";
import { Failed, Loading } from "../../parts/states.tsx";
import { dark } from "../../theme.ts";
import { useValue } from "../../value.ts";
import type { Editor, Language } from "./editor.ts";
import type { Known } from "./sandbox-completions.ts";

export type Tools = Data<"GET /api/v1/tools">["tools"];

export interface Trouble {
  line: number;
  column: number;
  message: string;
}

/** The editor, loaded on demand. */
export function CodeEditor(props: {
  /** The initial text; later changes remain in the editor. */
  text: string;
  language: Language;
  known: Known;
  trouble: Trouble | undefined;
  readOnly?: boolean;
  onText(text: string): void;
  onRun(): void;
}) {
  const { language, trouble } = props;
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<Editor>(undefined);
  const latest = useRef(props);
  latest.current = props;
  const isDark = useValue(dark);
  const [ready, setReady] = useState(false);
  const [error, setError] = useState<Error>();

  useEffect(() => {
    let over = false;
    import("./editor.ts").then(
      ({ openEditor }) => {
        if (over || !host.current) return;
        editor.current = openEditor(host.current, {
          text: props.text,
          language,
          dark: dark.get(),
          label: "Code",
          readOnly: props.readOnly === true,
          known: {
            servers: () => latest.current.known.servers(),
            tools: (server) => latest.current.known.tools(server),
            parameters: (server, tool) => latest.current.known.parameters(server, tool),
          },
          onText: (text) => latest.current.onText(text),
          onRun: () => latest.current.onRun(),
        });
        setReady(true);
      },
      (failure) => setError(new Error(`the editor could not be loaded: ${reasonOf(failure)}`)),
    );
    return () => {
      over = true;
      editor.current?.close();
    };
  }, []);
  useEffect(() => editor.current?.setLanguage(language), [language, ready]);
  useEffect(() => editor.current?.setDark(isDark), [isDark, ready]);
  useEffect(() => editor.current?.setTrouble(trouble), [trouble, ready]);
  return (
    <>
      {error ? <Failed error={error} retry={() => location.reload()} /> : !ready && <Loading lines={8} />}
      <div class="editor" ref={host} hidden={!ready} />
    </>
  );
}
