import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { javascript, localCompletionSource } from "@codemirror/lang-javascript";
import { bracketMatching, indentOnInput } from "@codemirror/language";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { editorTheme } from "./editor-theme.ts";
import { completeStandardGlobals, type Known, sandboxCompletions } from "./sandbox-completions.ts";

export type Language = "javascript" | "typescript";

interface EditorOptions {
  text: string;
  language: Language;
  dark: boolean;
  label: string;
  /** Whether the text is read-only. */
  readOnly: boolean;
  known: Known;
  onText(text: string): void;
  onRun(): void;
}

export interface Editor {
  setLanguage(language: Language): void;
  setDark(dark: boolean): void;
  /** Marks the position of an error; undefined removes the mark. Lines and columns start at 1. */
  setTrouble(trouble: { line: number; column: number; message: string } | undefined): void;
  focus(): void;
  close(): void;
}

/**
 * Creates a code editor in an element; its styles are in a shadow root, where the content security policy allows them.
 */
export function openEditor(host: HTMLElement, options: EditorOptions): Editor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  const language = new Compartment();
  const theme = new Compartment();
  const view = new EditorView({
    parent: root,
    root,
    state: EditorState.create({
      doc: options.text,
      extensions: [
        lineNumbers(),
        highlightActiveLineGutter(),
        highlightActiveLine(),
        history(),
        drawSelection(),
        indentOnInput(),
        bracketMatching(),
        closeBrackets(),
        highlightSelectionMatches(),
        lintGutter(),
        EditorView.lineWrapping,
        EditorState.readOnly.of(options.readOnly),
        EditorView.contentAttributes.of({
          "aria-label": options.label,
          "aria-readonly": String(options.readOnly),
          spellcheck: "false",
          autocapitalize: "off",
        }),
        autocompletion({
          override: [sandboxCompletions(options.known), localCompletionSource, completeStandardGlobals],
          icons: false,
        }),
        keymap.of([
          {
            key: "Mod-Enter",
            run: () => {
              options.onRun();
              return true;
            },
          },
          ...closeBracketsKeymap,
          ...completionKeymap,
          ...searchKeymap,
          ...historyKeymap,
          ...defaultKeymap,
        ]),
        language.of(languageOf(options.language)),
        theme.of(editorTheme(options.dark)),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) options.onText(update.state.doc.toString());
        }),
      ],
    }),
  });
  // Outside the shadow root, key events do not appear to come from a field, so page shortcuts would handle them.
  const keep = (event: KeyboardEvent) => {
    if (!event.ctrlKey && !event.metaKey) event.stopPropagation();
  };
  host.addEventListener("keydown", keep);
  return {
    setLanguage: (to) => view.dispatch({ effects: language.reconfigure(languageOf(to)) }),
    setDark: (to) => view.dispatch({ effects: theme.reconfigure(editorTheme(to)) }),
    setTrouble(trouble) {
      if (!trouble) return view.dispatch(setDiagnostics(view.state, []));
      const { doc } = view.state;
      const line = doc.line(Math.max(1, Math.min(doc.lines, trouble.line)));
      const from = Math.min(line.to, line.from + Math.max(0, trouble.column - 1));
      const word = /^[\w$.]+/.exec(doc.sliceString(from, line.to))?.[0].length ?? 0;
      const mark = { from, to: word > 0 ? from + word : line.to, severity: "error" as const, message: trouble.message };
      view.dispatch(setDiagnostics(view.state, [mark]), { effects: EditorView.scrollIntoView(from, { y: "center" }) });
    },
    focus: () => view.focus(),
    close() {
      host.removeEventListener("keydown", keep);
      view.destroy();
    },
  };
}

const languageOf = (language: Language) => javascript({ typescript: language === "typescript" });
