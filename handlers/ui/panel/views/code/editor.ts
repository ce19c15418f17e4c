import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { javascript, localCompletionSource, scopeCompletionSource } from "@codemirror/lang-javascript";
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from "@codemirror/language";
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
import { tags } from "@lezer/highlight";

export type Language = "javascript" | "typescript";

/** The names for completion. */
export interface Known {
  servers(): readonly { name: string; about: string }[];
  tools(server: string): readonly { name: string; about: string }[];
  /** A tool's parameters with descriptions. */
  parameters(server: string, tool: string): Promise<readonly { name: string; about: string; required: boolean }[]>;
}

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
          override: [sandbox(options.known), localCompletionSource, scopeCompletionSource(STANDARD)],
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
        theme.of(themeOf(options.dark)),
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
    setDark: (to) => view.dispatch({ effects: theme.reconfigure(themeOf(to)) }),
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

/** Custom properties are inherited by the shadow root, so the editor uses the page's colours. */
function themeOf(isDark: boolean) {
  return [
    EditorView.theme(
      {
        "&": { height: "100%", color: "var(--text)", backgroundColor: "transparent", fontSize: "13px" },
        "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "-2px" },
        ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.6", overflow: "auto" },
        ".cm-content": { padding: "0.6rem 0", caretColor: "var(--text)" },
        ".cm-cursor": { borderLeftColor: "var(--text)" },
        ".cm-gutters": { backgroundColor: "transparent", color: "var(--text-3)", border: "0" },
        ".cm-activeLine, .cm-activeLineGutter": {
          backgroundColor: "color-mix(in srgb, var(--hover) 70%, transparent)",
        },
        "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
          backgroundColor: "var(--chosen)",
        },
        ".cm-tooltip": {
          color: "var(--text)",
          backgroundColor: "var(--raised)",
          border: "1px solid var(--line-2)",
          borderRadius: "6px",
          boxShadow: "var(--shadow-2)",
        },
        ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--mono)", maxWidth: "min(40rem, 90vw)" },
        ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "0.2rem 0.5rem" },
        ".cm-tooltip-autocomplete ul li[aria-selected]": { color: "var(--text)", backgroundColor: "var(--chosen)" },
        ".cm-completionDetail": { fontStyle: "normal", color: "var(--text-3)" },
        ".cm-completionInfo": {
          maxWidth: "24rem",
          padding: "0.5rem 0.7rem",
          fontFamily: "var(--sans)",
          whiteSpace: "pre-wrap",
        },
        ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "700" },
        ".cm-panels": { color: "var(--text)", backgroundColor: "var(--sunken)" },
        ".cm-diagnostic-error": { borderLeftColor: "var(--bad)" },
      },
      { dark: isDark },
    ),
    syntaxHighlighting(
      HighlightStyle.define([
        { tag: [tags.keyword, tags.operatorKeyword], color: isDark ? "#c79bf2" : "#7a2fb8" },
        { tag: [tags.string, tags.special(tags.string)], color: isDark ? "#8fd19e" : "#176b3a" },
        { tag: [tags.number, tags.bool, tags.null], color: isDark ? "#f0b26b" : "#94520a" },
        { tag: [tags.comment], color: "var(--text-3)", fontStyle: "italic" },
        { tag: [tags.function(tags.variableName), tags.function(tags.propertyName)], color: "var(--accent)" },
        { tag: [tags.typeName, tags.className], color: isDark ? "#6fc7d8" : "#0d6478" },
        { tag: [tags.propertyName], color: isDark ? "#b9c4d6" : "#3a4557" },
      ]),
    ),
  ];
}

/** The globals of ES2020; the sandbox has no network, files or timers. */
const STANDARD = {
  Array,
  Date,
  JSON,
  Map,
  Math,
  Number,
  Object,
  RegExp,
  Set,
  String,
  Boolean,
  BigInt,
  Promise,
  Symbol,
};

const GLOBALS: readonly Completion[] = [
  {
    label: "call_tool",
    type: "function",
    detail: "(server, tool, args)",
    info: "Calls one tool and waits for it. Returns { ok: true, result } or { ok: false, error: { code, message } }.",
    apply: 'call_tool("',
  },
  {
    label: "call_tools",
    type: "function",
    detail: "([{ server, tool, args }], { max_parallel })",
    info: "Calls up to 100 tools in parallel and waits for all. Returns a list in the order of the requests; each element is like the return value of call_tool.",
    apply: 'call_tools([{ server: "',
  },
  {
    label: "input",
    type: "variable",
    detail: "object",
    info: "The script's input: the JSON beside the editor.",
  },
  {
    label: "console",
    type: "variable",
    detail: "log, info, warn, error, debug",
    info: "The output appears beside the result, in the activity record and in the proxy's log.",
  },
];

const LITERAL = `["']([^"']+)["']`;
/** The argument at the cursor, detected from the text between the call and the cursor. */
const SERVER = /(?:call_tool\(\s*|\bserver:\s*)["']([^"'\n]*)$/;
const TOOL = new RegExp(
  `(?:call_tool\\(\\s*${LITERAL}\\s*,\\s*|\\bserver:\\s*${LITERAL}\\s*,\\s*tool:\\s*)["']([^"'\\n]*)$`,
);
const ARGUMENT = new RegExp(
  `(?:call_tool\\(\\s*${LITERAL}\\s*,\\s*${LITERAL}\\s*,\\s*|\\bserver:\\s*${LITERAL}\\s*,\\s*tool:\\s*${LITERAL}\\s*,\\s*args:\\s*)\\{(?:[^{}]*[,{\\s])?(\\w*)$`,
);
/** Maximum distance to the start of the call (characters). */
const BACK = 600;

/** Completes the globals of the sandbox, and servers, tools and parameters within a call. */
function sandbox(known: Known) {
  return async (context: CompletionContext): Promise<CompletionResult | null> => {
    const before = context.state.sliceDoc(Math.max(0, context.pos - BACK), context.pos);
    const tool = TOOL.exec(before);
    if (tool) {
      const options = known.tools(tool[1] ?? tool[2] ?? "").map(({ name, about }) => ({ label: name, info: about }));
      return { from: context.pos - (tool[3]?.length ?? 0), options, validFor: /^[^"'\n]*$/ };
    }
    const server = SERVER.exec(before);
    if (server) {
      const options = known.servers().map(({ name, about }) => ({ label: name, detail: about }));
      return { from: context.pos - (server[1]?.length ?? 0), options, validFor: /^[^"'\n]*$/ };
    }
    const argument = ARGUMENT.exec(before);
    if (argument) {
      const parameters = await known.parameters(argument[1] ?? argument[3] ?? "", argument[2] ?? argument[4] ?? "");
      const options = parameters.map(({ name, about, required }) => ({
        label: name,
        detail: about,
        apply: `${/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)}: `,
        boost: required ? 1 : 0,
      }));
      if (options.length > 0) return { from: context.pos - (argument[5]?.length ?? 0), options, validFor: /^\w*$/ };
    }
    const word = context.matchBefore(/[\w$]+/);
    if (!word && !context.explicit) return null;
    // A member of an object is not a global.
    if (word && context.state.sliceDoc(word.from - 1, word.from) === ".") return null;
    return { from: word?.from ?? context.pos, options: GLOBALS, validFor: /^[\w$]*$/ };
  };
}
