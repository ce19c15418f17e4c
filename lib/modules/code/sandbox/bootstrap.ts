// biome-ignore-all lint/complexity/useArrowFunction: functions need `arguments` and a name in stack traces
// biome-ignore-all lint/style/noParameterAssign: runs inside QuickJS, where simple code is safest
/**
 * Runs first inside each fresh QuickJS instance, from its own source text. It defines the globals of a script and
 * returns the function that checks and serialises the result. It keeps private references to all built-ins that it
 * uses, so a script that redefines JSON or Array.prototype affects only itself. It must not refer to anything outside.
 *
 * @param host `(kind, text)`: the only connection to the outside
 */
export function bootstrap(host: (kind: number, text: string) => unknown) {
  const { parse, stringify } = JSON;
  const { isArray } = Array;
  const { keys, defineProperty, prototype } = Object;
  const Text = String;
  const Failure = Error;
  const { call } = Function.prototype;
  const bind = (method: unknown) => call.bind(method as () => void) as (...args: never[]) => unknown;
  const push = bind(Array.prototype.push) as unknown as (list: unknown[], v: unknown) => void;
  const join = bind(Array.prototype.join) as unknown as (list: unknown[], by: string) => string;
  const tag = bind(prototype.toString) as unknown as (v: unknown) => string;
  const has = bind(Set.prototype.has) as unknown as (set: Set<unknown>, v: unknown) => boolean;
  const add = bind(Set.prototype.add) as unknown as (set: Set<unknown>, v: unknown) => void;
  const drop = bind(Set.prototype.delete) as unknown as (set: Set<unknown>, v: unknown) => void;
  const finite = Number.isFinite;
  const visited = new Set<unknown>();

  const refuse = (message: string) => ({ ok: false, error: { code: "INVALID_ARGS", message } });
  const isObject = (v: unknown) => typeof v === "object" && v !== null && !isArray(v);
  // An answer is always JSON, so reading it fails only if memory runs out. This object must exist before that.
  const TOO_LARGE = {
    ok: false,
    error: { code: "RESULT_TOO_LARGE", message: "the result does not fit into the memory of the script; request less" },
  };

  /** The path of the first value that JSON would silently drop or change, with the reason. */
  const unsendable = (v: unknown, path: string): string | undefined => {
    if (v === null || typeof v === "string" || typeof v === "boolean") return undefined;
    if (typeof v === "number") return finite(v) ? undefined : `${path} is ${Text(v)}, which JSON cannot represent`;
    if (v === undefined) return `${path} is undefined; omit it or use null`;
    if (typeof v !== "object") return `${path} is a ${typeof v}, which cannot be sent to a tool`;
    if (has(visited, v)) return `${path} is a circular reference`;
    if (typeof (v as { toJSON?: unknown }).toJSON === "function") return undefined;
    add(visited, v);
    let wrong: string | undefined;
    if (isArray(v)) for (let i = 0; i < v.length && !wrong; i++) wrong = unsendable(v[i], `${path}[${i}]`);
    else {
      const kind = tag(v);
      if (kind !== "[object Object]") wrong = `${path} is ${kind}, which cannot be sent to a tool`;
      const names = keys(v);
      for (let i = 0; i < names.length && !wrong; i++)
        wrong = unsendable((v as Record<string, unknown>)[names[i] as string], `${path}.${names[i]}`);
    }
    drop(visited, v);
    return wrong;
  };

  const callTool = function call_tool(server: unknown, tool: unknown, args: unknown) {
    // biome-ignore lint/complexity/noArguments: arity is what is checked
    if (arguments.length !== 3)
      // biome-ignore lint/complexity/noArguments: arity is what is checked
      return refuse(`call_tool requires 3 arguments (serverName, toolName, args), got ${arguments.length}`);
    if (typeof server !== "string" || server === "") return refuse("call_tool: serverName must be a non-empty string");
    if (typeof tool !== "string" || tool === "") return refuse("call_tool: toolName must be a non-empty string");
    if (!isObject(args)) return refuse("call_tool: args must be an object");
    const wrong = unsendable(args, "args");
    if (wrong) return refuse(`call_tool: ${wrong}`);
    const answer = host(0, stringify([server, tool, args])) as string;
    try {
      return parse(answer);
    } catch {
      return TOO_LARGE;
    }
  };
  const callTools = function call_tools(requests: unknown, options?: unknown) {
    // biome-ignore lint/complexity/noArguments: arity is what is checked
    if (arguments.length < 1) return refuse("call_tools needs an array of { server, tool, args }");
    if (!isArray(requests)) return refuse("call_tools: requests must be an array");
    if (requests.length > 100)
      return refuse(`call_tools: at most 100 requests, got ${requests.length} (element 100 exceeds the limit)`);
    // JSON turns a hole into null; only here can it be told apart.
    for (let i = 0; i < requests.length; i++)
      if (!(i in requests)) return refuse(`call_tools: element ${i} is missing (sparse array)`);
    for (let i = 0; i < requests.length; i++) {
      const request = requests[i] as { args?: unknown };
      const wrong = isObject(request) && request.args !== undefined && unsendable(request.args, "args");
      if (wrong) return refuse(`call_tools: element ${i}: ${wrong}`);
    }
    const answer = host(1, stringify([requests, options === undefined ? {} : options])) as string;
    try {
      return parse(answer);
    } catch {
      const slots: unknown[] = [];
      for (let i = 0; i < requests.length; i++) push(slots, TOO_LARGE);
      return slots;
    }
  };
  const show = (v: unknown): string => {
    if (typeof v === "string") return v;
    try {
      if (v instanceof Failure) return `${Text(v)}${v.stack ? `\n${v.stack}` : ""}`;
      const json = stringify(v);
      return json === undefined ? Text(v) : json;
    } catch {
      try {
        return Text(v);
      } catch {
        return "[unprintable]";
      }
    }
  };
  const log = function (...values: unknown[]) {
    const parts: unknown[] = [];
    for (let i = 0; i < values.length; i++) push(parts, show(values[i]));
    host(2, join(parts, " "));
  };
  const define = (name: string, value: unknown) =>
    defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: false });
  define("call_tool", callTool);
  define("call_tools", callTools);
  define("console", { log, info: log, warn: log, error: log, debug: log });
  define("input", parse(host(3, "") as string));

  const bad = (path: string, what: string) => {
    const error = new Failure(`the result is not JSON-serializable: ${what} at ${path}`) as Error & { code?: string };
    error.code = "SERIALIZATION_ERROR";
    throw error;
  };
  const mostText = host(4, "") as number;
  let text = 0;
  const check = (v: unknown, path: string): void => {
    if (typeof v === "string") {
      text += v.length;
      if (text > mostText) bad(path, `more than ${mostText} characters of text`);
      return;
    }
    if (v === null || typeof v === "boolean") return;
    if (typeof v === "number") {
      if (!finite(v)) bad(path, Text(v));
      return;
    }
    if (typeof v !== "object") bad(path, typeof v);
    if (has(visited, v)) bad(path, "a circular reference");
    add(visited, v);
    if (isArray(v)) for (let i = 0; i < v.length; i++) check(v[i], `${path}[${i}]`);
    else {
      const kind = tag(v);
      if (kind !== "[object Object]") bad(path, kind);
      const names = keys(v as object);
      for (let i = 0; i < names.length; i++)
        check((v as Record<string, unknown>)[names[i] as string], `${path}.${names[i]}`);
    }
    drop(visited, v);
  };
  return (mode: number, v: unknown): string => {
    if (mode === 0) {
      check(v, "$");
      const json = stringify(v) as string | undefined;
      if (typeof json !== "string") return bad("$", "a toJSON that returns nothing") as never;
      if (json.length > mostText) return bad("$", `more than ${mostText} characters of JSON`) as never;
      return json;
    }
    let name = "Error";
    let message = "";
    let stack = "";
    let code = "";
    try {
      if (typeof v === "object" && v !== null) {
        const e = v as { name?: unknown; message?: unknown; stack?: unknown; code?: unknown };
        name = Text(e.name ?? "Error");
        message = Text(e.message ?? show(v));
        stack = Text(e.stack ?? "");
        if (e.code === "SERIALIZATION_ERROR") code = e.code;
      } else message = Text(v);
    } catch {
      message = "an exception that cannot be printed";
    }
    return stringify({ name, message, stack, code });
  };
}
