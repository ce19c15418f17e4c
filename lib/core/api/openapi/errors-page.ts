import { FAULTS, type FaultCode } from "../../base/fault.ts";
import { REASONS } from "../../policy/reasons.ts";
import { faultTexts } from "./fault-text.ts";

/** docs/errors.md, written from the tables of faults and reasons. */
export function errorsPage(): string {
  const codes = Object.keys(FAULTS).sort() as FaultCode[];
  const reasons = Object.entries(REASONS).map(([reason, row]) => [
    code(reason),
    row.retryable ? "yes" : "no",
    row.action === "" ? "" : code(row.action),
    code(row.verdict),
    String(row.exit),
    row.remediation("{server}", "{server}:{tool}"),
  ]);
  return [
    INTRODUCTION,
    "## By status\n",
    table(["Status", "Means", "What to do"], STATUSES),
    "## By code\n",
    CODES,
    table(
      ["Code", "Status", "Says"],
      codes.map((name) => [code(name), String(FAULTS[name].status), says(name)]),
    ),
    "## Why a tool cannot be called\n",
    REASON,
    table(["Reason", "Retry", "Action", "Verdict", "Exit", "Says what to do"], reasons),
    "## Code execution\n",
    EXECUTION,
  ].join("\n");
}

function says(name: FaultCode): string {
  const texts = faultTexts(name).filter((text) => !/^\{\w+\}$/.test(text));
  return texts.length === 0 ? "what is wrong, in full" : texts.map(literal).join("<br>");
}

const code = (text: string) => `\`${text}\``;
/** Text as Markdown shows it: a name in angle brackets is no element. */
const literal = (text: string) => text.replaceAll("<", "&lt;");

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return `${[line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n")}\n`;
}

const INTRODUCTION = `# Errors

This page is written from the program's own tables (\`npm run docs\`); change \`lib/core/base/fault.ts\`, not the page.

A failure over REST is

\`\`\`json
{ "success": false, "error": "server \\"git\\" not found", "code": "server_not_found", "request_id": "4f1c…" }
\`\`\`

\`error\` is for people and may be worded anew in any version; \`code\` is for programs and stays. \`request_id\` is also in
the header \`X-Request-Id\`, in the log and in the activity record (\`proxy activity list --request-id\`). Some failures say
more beside it, as the [API description](openapi.json) of their operation tells. A built-in MCP tool answers the same
texts as a result with \`isError: true\`, the command line prints them on standard error: [exit codes](cli.md).
`;

const STATUSES = [
  ["400", "the request is wrong", "change it; the same request fails again"],
  ["401", "no credential, or none that is known", "send the key or a token in `X-API-Key`"],
  ["403", "known, but not allowed", "ask an administrator, or change what the text names"],
  ["404", "there is no such thing, or not for this caller", "look at the list of such things"],
  ["405, 415", "wrong method or content type", "use what the text names"],
  ["409", "it clashes with what is there", "read what is there, decide, then repeat"],
  ["412", "`If-Match` names an older state", "read again, repeat the change on it"],
  ["413", "the body is too large", "send less"],
  ["429", "too much at once", "wait as `Retry-After` says, then repeat"],
  ["499", "the caller went away or cancelled", "nothing"],
  ["500", "the proxy could not do it", "see its log by the `request_id`; `proxy doctor`"],
  ["502", "another server failed", "see its log: `proxy upstream logs`"],
  ["503", "not now", "wait, as `Retry-After` says where it is there, then repeat"],
  ["504", "no answer in time", "raise the limit, or see why it is slow"],
];

const CODES = `What stands in braces is filled in. A second line is what is said when less is known.
`;

const REASON = `What \`POST /api/v1/preflight\`, \`describe_tool\` with \`check\`, \`proxy tools preflight\` and a refused call (\`tool_blocked\`)
name as \`reason\`, the first that applies, in this order. There may be more of them one day; an unknown one is not worth
waiting for. *Retry*: waiting may help. *Exit*: that of \`proxy tools preflight\`.
`;

const EXECUTION = `\`POST /api/v1/code/exec\` and the MCP tool \`code_execution\` answer \`{ "ok": false, "error": { "code", "message" } }\`.

| Code | Status | Means |
| --- | --- | --- |
| \`INVALID_REQUEST\`, \`INVALID_OPTIONS\` | 400 | neither or both of \`code\` and \`script\`; a limit out of range |
| \`INVALID_LANGUAGE\`, \`INVALID_SCRIPT_NAME\`, \`SCRIPT_UNUSABLE\` | 400 | the script cannot be used as asked |
| \`FEATURE_DISABLED\` | 403 | \`enable_code_execution\` is \`false\` |
| \`SCRIPT_NOT_FOUND\` | 404 | no stored script of this name |
| \`EXECUTION_FAILED\` | 500 | the sandbox could not run it, or none became free in time |
| \`SYNTAX_ERROR\`, \`RUNTIME_ERROR\`, \`TIMEOUT\`, \`MEMORY_LIMIT\`, \`CANCELLED\` | 200 | it ran, and ended so |
| \`SERIALIZATION_ERROR\` | 200 | its value cannot be written as JSON |

Within a script \`call_tool\` and \`call_tools\` answer the same shape with \`INVALID_ARGS\`, \`MAX_TOOL_CALLS_EXCEEDED\`, \`ARGUMENTS_MISMATCH\`, \`RESULT_TOO_LARGE\`,
\`SERVER_NOT_ALLOWED\`, \`TOOL_NOT_FOUND\`, \`TOOL_BLOCKED\`, \`PERMISSION_DENIED\`, \`SERVER_NOT_READY\`, \`UPSTREAM_TIMEOUT\`,
\`UPSTREAM_ERROR\`, \`CANCELLED\`, \`queue_full\` and \`queue_timeout\`.
`;
