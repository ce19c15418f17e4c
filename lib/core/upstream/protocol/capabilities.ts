import { isJsonObject } from "../../base/json-object.ts";
import type { McpObject } from "../../schema/mcp.ts";
import type { ServerCapabilities } from "../../schema/server-capabilities.ts";

const MAX_EXTENSIONS = 32;
const MAX_EXTENSION_NAME = 256;
/** Maximum length of the settings of one extension as JSON; longer ones are ignored. (characters) */
const MAX_SETTINGS = 4096;

/** Reads the capabilities that the proxy uses from what an upstream declares. */
export function capabilitiesIn(declared: McpObject): ServerCapabilities {
  const { tools, prompts, resources, completions, logging, tasks, extensions } = declared;
  const changes = (one: McpObject) => ({ listChanged: one.listChanged === true });
  const known = extensionsIn(extensions);
  return {
    ...(isJsonObject(tools) && { tools: changes(tools) }),
    ...(isJsonObject(prompts) && { prompts: changes(prompts) }),
    ...(isJsonObject(resources) && { resources: { subscribe: resources.subscribe === true, ...changes(resources) } }),
    ...(isJsonObject(completions) && { completions: true }),
    ...(isJsonObject(logging) && { logging: true }),
    ...(isJsonObject(tasks) && takesTasks(tasks) && { tasks: { cancel: isJsonObject(tasks.cancel) } }),
    ...(known && { extensions: known }),
  };
}

function takesTasks({ requests }: McpObject): boolean {
  return isJsonObject(requests) && isJsonObject(requests.tools) && isJsonObject(requests.tools.call);
}

function extensionsIn(declared: unknown): Record<string, McpObject> | undefined {
  if (!isJsonObject(declared)) return undefined;
  const names = Object.keys(declared).filter((name) => name.length <= MAX_EXTENSION_NAME && name !== "__proto__");
  if (names.length === 0) return undefined;
  const settings = (value: unknown) =>
    isJsonObject(value) && JSON.stringify(value).length <= MAX_SETTINGS ? value : {};
  return Object.fromEntries(names.slice(0, MAX_EXTENSIONS).map((name) => [name, settings(declared[name])]));
}
