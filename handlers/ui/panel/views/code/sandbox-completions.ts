import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import { scopeCompletionSource } from "@codemirror/lang-javascript";

/** The names for completion. */
export interface Known {
  servers(): readonly { name: string; about: string }[];
  tools(server: string): readonly { name: string; about: string }[];
  /** A tool's parameters with descriptions. */
  parameters(server: string, tool: string): Promise<readonly { name: string; about: string; required: boolean }[]>;
}

/** The globals of ES2020; the sandbox has no network, files or timers. */
const STANDARD_GLOBALS = {
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

/** Completes the standard globals of the sandbox and their members. */
export const completeStandardGlobals = scopeCompletionSource(STANDARD_GLOBALS);

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
export function sandboxCompletions(known: Known) {
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
