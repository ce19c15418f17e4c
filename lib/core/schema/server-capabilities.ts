import type { McpObject } from "./mcp.ts";

/** The validated capabilities that an upstream declares. A member is absent when the upstream does not declare it. */
export interface ServerCapabilities {
  readonly tools?: { readonly listChanged: boolean };
  readonly prompts?: { readonly listChanged: boolean };
  readonly resources?: { readonly subscribe: boolean; readonly listChanged: boolean };
  readonly completions?: true;
  readonly logging?: true;
  /** Set if its tools can be called as tasks (2025-11-25). */
  readonly tasks?: { readonly cancel: boolean };
  /** Settings of protocol extensions, by the extension's name. */
  readonly extensions?: Readonly<Record<string, McpObject>>;
}
