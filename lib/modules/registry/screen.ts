import { escapeInvisible } from "../../core/base/excerpt.ts";
import { loopShare } from "../../core/base/loop-share.ts";
import type { Caller } from "../../core/schema/caller.ts";
import type { InputRecord, ListedServer } from "../../core/schema/registry.ts";
import type { ToolDefinition } from "../../core/schema/tool.ts";
import { examine, reportOf } from "../scan/rules/scan.ts";

type Viewer = Pick<Caller, "tier">;

/** Longest text of an entry that is shown (characters, with what is invisible written out). */
const MAX_TEXT = 4000;

/**
 * Screens the entries of a page, with pauses, so that nothing else waits for a long one.
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
 * An entry as a caller may see it. Anybody can publish in a registry, so its texts are scanned and their invisible
 * characters written out. Agents and anonymous clients are models: of an entry with findings of severity high or
 * critical they see its id and the findings only.
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
    name: shown(name),
    description: shown(description),
    tags: tags.map(shown),
    ...(not_installable !== undefined && { not_installable: shown(not_installable) }),
    ...(status !== undefined && { status: shown(status) }),
    required_inputs: required_inputs.map(shownInput),
    optional_inputs: optional_inputs.map(shownInput),
    ...(findings.length > 0 && { findings }),
  };
}

/** An input that a refusal asks for, whoever reads it: without a text in which the scan finds something grave. */
export function screenInput(input: InputRecord): InputRecord {
  const { findings } = reportOf(examine(asTool("input", "", { inputs: [textsOf(input)] })));
  if (!findings.some(isGrave)) return shownInput(input);
  const { choices: _, ...rest } = input;
  return { ...rest, description: "" };
}

function findingsIn(server: ListedServer): NonNullable<ListedServer["findings"]> {
  const { name, description, not_installable, status, tags, required_inputs, optional_inputs } = server;
  const inputs = [...required_inputs, ...optional_inputs].map(textsOf);
  const { findings } = reportOf(examine(asTool(name, description, { tags, status, not_installable, inputs })));
  return findings.map(({ rule, severity, location, explanation }) => ({
    rule,
    severity,
    location: escapeInvisible(location.replace(/^_meta\./, "")),
    explanation,
  }));
}

/** Names of inputs are left out: a server rightly asks whoever installs it for a token. */
const textsOf = ({ description, choices = [] }: InputRecord) => ({ description, choices });

const asTool = (name: string, description: string, _meta: NonNullable<ToolDefinition["_meta"]>): ToolDefinition => ({
  name,
  description,
  inputSchema: { type: "object" },
  _meta,
});

const isGrave = ({ severity }: { severity: string }) => severity === "high" || severity === "critical";

const shown = (text: string) => escapeInvisible(text).slice(0, MAX_TEXT);

const shownInput = ({ description, choices, ...rest }: InputRecord): InputRecord => ({
  ...rest,
  description: shown(description),
  ...(choices && { choices: choices.map(shown) }),
});
