import { escapeInvisible } from "../../core/base/excerpt.ts";
import { loopShare } from "../../core/base/loop-share.ts";
import type { Caller } from "../../core/schema/caller.ts";
import type { InputRecord, ListedServer } from "../../core/schema/registry.ts";
import type { ToolDefinition } from "../../core/schema/tool.ts";
import { examineTool, reportOf } from "../scan/rules/examine-tool.ts";

type Viewer = Pick<Caller, "tier">;

/** Longest text of an entry that is shown (characters, after invisible ones were replaced by escapes). */
const MAX_TEXT = 4000;

/**
 * Screens the entries of a page, yielding to the event loop in between.
 *
 * @throws the signal's reason
 */
export async function screenAll(
  servers: readonly ListedServer[],
  viewer: Viewer,
  signal: AbortSignal,
): Promise<ListedServer[]> {
  const screened: ListedServer[] = [];
  const pause = loopShare();
  for (const server of servers) {
    screened.push(screenListed(server, viewer));
    await pause();
    signal.throwIfAborted();
  }
  return screened;
}

/**
 * The part of an entry that a caller may see. Anybody can publish in a registry, so its texts are scanned and invisible
 * characters are shown as escapes. Agents and anonymous clients are models: of an entry with findings of severity high
 * or critical they see only its ID and the findings.
 */
export function screenListed(server: ListedServer, { tier }: Viewer): ListedServer {
  const findings = findingsIn(server);
  const grave = findings.some(isGrave);
  if (grave && tier !== "admin") {
    const { id, registry, kind, added } = server;
    return {
      ...{ id, name: id, description: "", registry },
      ...(kind !== undefined && { kind }),
      ...{ required_inputs: [], optional_inputs: [], tags: [], added, findings, withheld: true },
    };
  }
  const { name, description, not_installable, status, tags, required_inputs, optional_inputs } = server;
  return {
    ...server,
    name: visibleText(name),
    description: visibleText(description),
    tags: tags.map(visibleText),
    ...(not_installable !== undefined && { not_installable: visibleText(not_installable) }),
    ...(status !== undefined && { status: visibleText(status) }),
    required_inputs: required_inputs.map(shownInput),
    optional_inputs: optional_inputs.map(shownInput),
    ...(findings.length > 0 && { findings }),
  };
}

/** An input that a rejection names, without texts in which the scan finds a severe problem. */
export function screenInput(input: InputRecord): InputRecord {
  const { findings } = reportOf(examineTool(asTool("input", "", { inputs: [textsOf(input)] })));
  if (!findings.some(isGrave)) return shownInput(input);
  const { choices: _, ...rest } = input;
  return { ...rest, description: "" };
}

function findingsIn(server: ListedServer): NonNullable<ListedServer["findings"]> {
  const { name, description, not_installable, status, tags, required_inputs, optional_inputs } = server;
  const inputs = [...required_inputs, ...optional_inputs].map(textsOf);
  const { findings } = reportOf(examineTool(asTool(name, description, { tags, status, not_installable, inputs })));
  return findings.map(({ rule, severity, location, explanation }) => ({
    rule,
    severity,
    location: escapeInvisible(location.replace(/^_meta\./, "")),
    explanation,
  }));
}

/** Names of inputs are not scanned: a server may legitimately ask for a token. */
const textsOf = ({ description, choices = [] }: InputRecord) => ({ description, choices });

const asTool = (name: string, description: string, _meta: NonNullable<ToolDefinition["_meta"]>): ToolDefinition => ({
  name,
  description,
  inputSchema: { type: "object" },
  _meta,
});

const isGrave = ({ severity }: { severity: string }) => severity === "high" || severity === "critical";

const visibleText = (text: string) => escapeInvisible(text).slice(0, MAX_TEXT);

const shownInput = ({ description, choices, ...rest }: InputRecord): InputRecord => ({
  ...rest,
  description: visibleText(description),
  ...(choices && { choices: choices.map(visibleText) }),
});
