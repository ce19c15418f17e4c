import type { ServerConfig } from "../../core/config/config-keys.ts";
import type { ToolDefinition } from "../../core/schema/tool.ts";
import { MASK } from "../../core/secrets/mask/mask.ts";
import { maskServer } from "../../core/secrets/mask/server.ts";
import { LAUNCH_DEFINITION_MEMBERS } from "../../core/upstream/target.ts";
import type { Installed } from "../packages/installed.ts";
import { launchOf } from "../packages/launch.ts";
import { type LockedServer, type LockedTool, textLines } from "./document.ts";

/** Members of a server's entry that decide what is started or contacted, and which parts of it may be used. */
const START = [
  ...LAUNCH_DEFINITION_MEMBERS,
  "enabled_tools",
  "disabled_tools",
] as const satisfies readonly (keyof ServerConfig)[];

const MASKS = new RegExp(MASK, "gu");

/**
 * The start of a server without its secrets. References are kept. For any other value that is masked elsewhere, the
 * file only states that it is present, so that the file reveals neither the secret nor a change of it.
 */
export function startOf(server: ServerConfig): LockedServer["start"] {
  const masked = maskServer(server);
  return Object.fromEntries(
    START.flatMap((key) => (masked[key] === undefined ? [] : [[key, withoutMasks(masked[key])]])),
  );
}

function withoutMasks(value: unknown): unknown {
  if (typeof value === "string") return value.replace(MASKS, "<secret>");
  if (Array.isArray(value)) return value.map(withoutMasks);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withoutMasks(member)]));
}

/** The package or image that is started, if it is known on this machine. */
export function packageOf(server: ServerConfig, installed: Installed | undefined): LockedServer["package"] {
  const { source, name, version, digest } = launchOf(server);
  if (source === "remote" || source === "program") return undefined;
  const currentVersion = installed?.version ?? version;
  return {
    source,
    name,
    ...(currentVersion !== undefined && { version: currentVersion }),
    ...(installed?.integrity !== undefined && { integrity: installed.integrity }),
    ...(digest !== undefined && { digest }),
  };
}

/** The members of a tool that an approval covers, and its pin. */
export function toolOf(tool: ToolDefinition & { readonly hash: string }): LockedTool {
  const { hash, title, description, inputSchema, outputSchema, annotations, icons, _meta } = tool;
  return {
    pin: hash,
    ...(title !== undefined && { title }),
    ...(description && { description: textLines(description) }),
    inputSchema,
    ...(outputSchema && { outputSchema }),
    ...(annotations && { annotations: { ...annotations } }),
    ...(icons && { icons: icons.map((icon) => ({ ...icon })) }),
    ...(_meta && { _meta }),
  };
}
