import { createHash } from "node:crypto";
import type { App } from "../app.ts";
import type { Caller } from "../shape/caller.ts";
import { createDirect } from "./direct.ts";
import type { McpMode } from "./mount.ts";
import type { Tool } from "./tool.ts";

/** A rendered `tools/list` result. */
export interface ToolList {
  /** JSON text. */
  readonly text: string;
  /** The same for the same text, so that real changes can be told from stirred water. */
  readonly tag: string;
}

/** The tool lists of every mode, as each caller may see them. */
export interface ToolLists {
  /** Does most of the work of `of` beforehand, in pieces; undefined where nothing is left to be waited for. */
  prepare(mode: McpMode): Promise<void> | undefined;
  of(mode: McpMode, caller: Caller): ToolList;
}

export function createToolLists(app: App, tools: readonly Tool[]): ToolLists {
  const direct = createDirect(app);
  const fixed = new Map<string, ToolList>();

  const offered = (mode: McpMode, caller: Caller) =>
    tools.filter(
      ({ spec }) =>
        spec.modes.includes(mode) && (spec.offered?.({ app, caller, mode }) ?? true) && (spec.listed?.(app) ?? true),
    );

  return {
    prepare: (mode) => (mode === "direct" ? direct.prepare() : undefined),
    of(mode, caller) {
      const builtIn = offered(mode, caller);
      if (mode === "direct") return direct.list(caller, builtIn.map(listed));
      const key = builtIn.map((t) => t.name).join(" ");
      let list = fixed.get(key);
      if (!list) {
        list = render(builtIn.map(listed));
        fixed.set(key, list);
      }
      return list;
    },
  };
}

/** A list made of tools that already are JSON text. */
export function render(tools: readonly string[]): ToolList {
  const text = `{"tools":[${tools.join(",")}]}`;
  return { text, tag: createHash("sha256").update(text).digest("base64url") };
}

function listed({ name, spec, inputSchema }: Tool): string {
  const { title, description, annotations } = spec;
  return JSON.stringify({ name, title, description, inputSchema, annotations: { title, ...annotations } });
}
