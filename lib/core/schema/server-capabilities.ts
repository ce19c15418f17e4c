import type { McpObject } from "./mcp.ts";

/** What an upstream declares that it can do, read with care. A member is absent where it declares nothing of it. */
export interface ServerCapabilities {
  readonly tools?: { readonly listChanged: boolean };
  readonly prompts?: { readonly listChanged: boolean };
  readonly resources?: { readonly subscribe: boolean; readonly listChanged: boolean };
  readonly completions?: true;
  readonly logging?: true;
  /** Settings of protocol extensions, by the extension's name. */
  readonly extensions?: Readonly<Record<string, McpObject>>;
}
