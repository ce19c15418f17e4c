import { type App, part } from "../app.ts";
import { isLargeJson, largeJsonBeginning } from "../base/json-pieces.ts";
import { TextMemo } from "../base/text-memo.ts";
import type { Actor } from "../schema/caller.ts";
import type { McpObject } from "../schema/mcp.ts";
import { type SensitiveFinding, worstSeverity } from "../schema/sensitive-finding.ts";
import { maskJson } from "../secrets/mask/json.ts";
import { scrubText } from "../secrets/mask/text.ts";
import type { NewActivityRecord } from "./record-activity.ts";
import type { CallRequest } from "./stages/stage.ts";

/** Maximum length of arguments stored in a record (characters of JSON). */
export const MAX_ARGUMENTS = 65_536;

/**
 * Returns the arguments of a call for its record: masked, or only the beginning of their text if they are too long.
 *
 * @param text the arguments as JSON, or the beginning of that text
 * @param length length of the whole text
 */
export function recordedArguments(
  app: Pick<App, "part">,
  args: McpObject,
  text: string,
  length = text.length,
): unknown {
  if (length <= MAX_ARGUMENTS) return withoutSecrets(app, text, args);
  return maskJson({ truncated: true, length, beginning: text.slice(0, MAX_ARGUMENTS) });
}

/** Whether nothing is masked in arguments, by their text. */
const needsNoMask = part("needsNoMask", () => new TextMemo<boolean>());

/** Returns the arguments, or a masked copy. Masking takes longer than all else of a call if the arguments are long. */
function withoutSecrets(app: Pick<App, "part">, text: string, args: McpObject): McpObject {
  let masked: McpObject | undefined;
  const mask = () => {
    masked = maskJson(args);
    return masked === args;
  };
  return app.part(needsNoMask).of(text, mask) ? args : (masked ?? maskJson(args));
}

/**
 * Calls `record` with the arguments for a record, as `recordedArguments` returns them: at once, or after their text has
 * been made in pieces if it is long.
 */
export function withRecordedArguments(app: App, args: McpObject, record: (recorded: unknown) => void): void {
  if (!isLargeJson(args)) {
    record(recordedArguments(app, args, JSON.stringify(args)));
    return;
  }
  const written = largeJsonBeginning(args, MAX_ARGUMENTS).then(({ text, length }) =>
    record(recordedArguments(app, args, text, length)),
  );
  app.log.catch("recording long arguments", written);
}

/** Returns the metadata of a record about the client and its intent; undefined if there is none. */
export function callMetadata({ origin }: Actor, { variant, intent, taskRequest }: CallRequest): McpObject | undefined {
  const { client, clientIp } = origin;
  if (!variant && !intent && !client && clientIp === undefined && !taskRequest) return undefined;
  const metadata: McpObject = {};
  if (taskRequest) metadata.task_method = taskRequest.method;
  if (variant) metadata.tool_variant = variant;
  if (intent) metadata.intent = intent.reason === undefined ? intent : { ...intent, reason: scrubText(intent.reason) };
  if (client) {
    metadata.client_name = client.name;
    metadata.client_version = client.version;
  }
  if (clientIp !== undefined) metadata.client_ip = clientIp;
  return metadata;
}

/** Adds sensitive data that was found to a record, without the values (reference 8.3). */
export function addCallFindings(entry: NewActivityRecord, found: readonly SensitiveFinding[]): void {
  entry.metadata = { ...entry.metadata, sensitive_data_detection: { detected: true, detections: found } };
  entry.detection_types = [...new Set(found.map(({ type }) => type))];
  const severity = worstSeverity(found);
  if (severity) entry.max_severity = severity;
}
