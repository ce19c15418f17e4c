import { FAULTS, type FaultCode } from "../../base/fault.ts";
import { REASONS } from "../../policy/reasons.ts";
import { faultTexts } from "./fault-text.ts";

/** Generates docs/errors.md from the tables of faults and reasons. */
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
    ...codes.map(section),
    "## Why a tool cannot be called\n",
    REASON,
    table(["Reason", "Retry", "Action", "Verdict", "Exit", "Remedy"], reasons),
    "## Code execution\n",
    EXECUTION,
  ].join("\n");
}

/** The section of a code, to which `docs` of an error response leads. */
function section(name: FaultCode): string {
  const { status } = FAULTS[name];
  const texts = faultTexts(name).filter((text) => !/^\{\w+\}$/.test(text));
  const [, means = "", remedy = ""] = STATUSES.find(([statuses = ""]) => statuses.includes(String(status))) ?? [];
  const pages = GUIDES.filter(([codes]) => codes.test(name)).map(([, title, page]) => `[${title}](${page})`);
  return [
    `### ${name}\n`,
    texts.length === 0
      ? "The text depends on the cause.\n"
      : `${texts.map((text) => `> ${literal(text)}`).join("\n>\n")}\n`,
    // The general meaning of a status does not fit where its advice does not.
    `Status ${status}${ADVICE[name] ? "" : `: ${means}`}. What to do: ${ADVICE[name] ?? remedy}.${pages.length > 0 ? ` See ${pages.join(", ")}.` : ""}\n`,
  ].join("\n");
}

/** The pages that describe what codes are about. */
const GUIDES: readonly [codes: RegExp, title: string, page: string][] = [
  [/^cluster_/, "several replicas", "cluster.md"],
  [/^config_|management_disabled|confirmation_required|changed_meanwhile/, "configuration", "configuration.md"],
  [/^client_sign_in_|credentials_off|sign_in_state/, "sign-in of MCP clients", "sign-in.md"],
  [/^connect_|undo_changed|file_denied/, "connecting clients", "connect.md"],
  [/registry|registries|install_info|missing_required_input/, "registries", "registries.md"],
  [/^scan|findings_not_accepted/, "scanning", "scanning.md"],
  [
    /token|unauthenticated|too_many_attempts|person_required|forbidden_host|other_origin|secret/,
    "security",
    "security.md",
  ],
  [/^(?:tool_|tools_|item_|items_|definition_changed|server_held)/, "reviews", "security.md#reviews"],
  [/^database_|disk_failed/, "storage", "storage.md"],
  [
    /dcr_failed|code_flow|metadata_discovery|oauth_|sign_in_refused|client_id_required/,
    "sign-in at servers",
    "upstreams.md",
  ],
  [/^(?:upstream_|server_|call_timeout|fetch_failed)/, "upstream servers", "upstreams.md"],
  [/^(?:queue_|server_busy|body_too_large|max_)/, "limits", "configuration.md#keys"],
  [/^lock_/, "lock file", "lock.md"],
  [/^audit_/, "audit log", "audit.md"],
  [/^metrics_/, "metrics", "metrics.md"],
  [/^notification_/, "notifications", "notifications.md"],
  [/^sink_/, "records to other systems", "logs.md"],
  [/^tls_|listen_failed|address_in_use|no_listener/, "deployment", "deploy.md"],
  [/^(?:edition_|user_|own_account|mcp_only)/, "multi-user edition", "team.md"],
  [/^(?:code_|script)/, "scripts", "mcp.md"],
  [/^(?:arguments_|intent_|destructive_|permission_|profile_)/, "MCP endpoints", "mcp.md"],
  [/^(?:output_|sensitive_)/, "sensitive data", "security.md"],
  [/^daemon_/, "command line", "cli.md"],
];

/** What to do about a code where the general advice for its status does not fit. */
const ADVICE: Readonly<Record<string, string>> = {
  address_in_use: "stop the other program, or choose another address with `--listen`",
  address_refused: "add the host or network to `outbound_allow` if you trust it",
  audit_stdout_refused: "set `audit_log.path`",
  cluster_database_missing: "create the database, or correct `cluster.database_url`",
  cluster_database_unreachable: "check the address, and that the PostgreSQL server runs and can be reached",
  cluster_key_missing: "set the same key at all replicas",
  cluster_key_wrong: "use the keys of the other replicas",
  cluster_sign_in_refused: "correct the user or the password in `cluster.database_url`",
  config_broken: "correct the file, or restore an earlier version: `proxy config history`",
  config_unwritable: "give the proxy's user write access, or choose another folder",
  daemon_not_running: "start the proxy with `proxy up`, or select another one with `--data-dir` or `--url`",
  daemon_unreachable: "check the address, the network, and that a proxy listens there",
  database_damaged: "stop the proxy and run `proxy db recover`",
  database_locked: "stop the other proxy, or give this one another data directory with `-d`",
  database_newer: "update the program, or use another data directory",
  definition_changed: "review the definition again: `proxy review`",
  disk_failed: "free space on the disk, and check that it is writable",
  listen_failed: "choose another address with `--listen`",
  method_not_allowed: "use one of the methods in the header `Allow`",
  server_not_ready: "wait until the server has connected, or find out why it has not: `proxy upstream logs`",
  tls_unusable: "correct the certificate or the key in `tls.certs_dir`",
};

const code = (text: string) => `\`${text}\``;
/** Escapes text for Markdown, where a name in angle brackets would become an HTML element. */
const literal = (text: string) => text.replaceAll("<", "&lt;");

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return `${[line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n")}\n`;
}

const INTRODUCTION = `# Errors

This page lists the errors of the proxy. It is generated by \`npm run docs\`; edit
\`lib/core/base/core-faults.ts\` or the \`faults.ts\` of a module, not this page.

A failed REST request returns:

\`\`\`json
{
  "success": false,
  "error": "server \\"git\\" not found",
  "code": "server_not_found",
  "request_id": "4f1c…",
  "docs": "/docs/guide/errors.html#server_not_found"
}
\`\`\`

\`error\` is for people, and its wording may change in any version. \`code\` is for programs and is stable. \`request_id\` is also in
the header \`X-Request-Id\`, in the log and in the activity record (\`proxy activity list --request-id\`). \`docs\` is the
path of the code's section on this page; \`proxy docs errors#CODE\` prints it. Some errors have additional members; the [API description](openapi.json) of the operation lists them. A built-in MCP tool returns the same
texts in a result with \`isError: true\`. The command line prints them on standard error; see [exit codes](cli.md).
`;

const STATUSES = [
  ["400", "the request is invalid", "correct the request; the same request fails again"],
  ["401", "the credential is missing or invalid", "send the API key or a token in `X-API-Key`"],
  [
    "403",
    "the caller is known, but not allowed to do this",
    "ask an administrator, or change what the error message names",
  ],
  ["404", "the resource does not exist, or not for this caller", "check the name against the list of such resources"],
  ["405, 415", "wrong method or content type", "use what the error message names"],
  ["409", "the request conflicts with the current state", "read the current state, decide, then repeat"],
  ["412", "`If-Match` names an older state", "read again and repeat the change"],
  ["413", "the body is too large", "send less"],
  ["422", "the request is valid, but cannot be processed", "change what the error message names"],
  ["429", "too many requests", "wait for the time in `Retry-After`, then repeat"],
  ["499", "the caller disconnected or cancelled the request", "nothing"],
  ["500", "an error inside the proxy", "search its log for the `request_id`; run `proxy doctor`"],
  ["502", "another server failed", "see its log: `proxy upstream logs`"],
  ["503", "temporarily unavailable", "wait, for the time in `Retry-After` if the response has one, then repeat"],
  ["504", "timeout", "raise the timeout, or find out why the other side is slow"],
];

const CODES = `The proxy replaces the names in braces by values. If a code has several texts, the proxy uses the one that fits what it knows.
`;

const REASON = `What \`POST /api/v1/preflight\`, \`describe_tool\` with \`check\`, \`proxy tools preflight\` and a rejected call (\`tool_blocked\`)
return one of these values as \`reason\`: the first that applies, in this order. Later versions may add reasons; do not retry
after an unknown one. *Retry*: waiting may help. *Exit*: the exit code of \`proxy tools preflight\`.
`;

const EXECUTION = `\`POST /api/v1/code/exec\` and the MCP tool \`code_execution\` return \`{ "ok": false, "error": { "code", "message" } }\`.

| Code | Status | Means |
| --- | --- | --- |
| \`INVALID_REQUEST\`, \`INVALID_OPTIONS\` | 400 | the request has neither or both of \`code\` and \`script\`, or a limit out of range |
| \`INVALID_LANGUAGE\`, \`INVALID_SCRIPT_NAME\`, \`SCRIPT_UNUSABLE\` | 400 | the language or the script cannot be used |
| \`FEATURE_DISABLED\` | 403 | \`enable_code_execution\` is \`false\` |
| \`SCRIPT_NOT_FOUND\` | 404 | no stored script has this name |
| \`EXECUTION_FAILED\` | 500 | the sandbox could not run the script, or no sandbox became free in time |
| \`SYNTAX_ERROR\`, \`RUNTIME_ERROR\`, \`TIMEOUT\`, \`MEMORY_LIMIT\`, \`CANCELLED\` | 200 | the script ran and ended with this error |
| \`SERIALIZATION_ERROR\` | 200 | the result of the script cannot be written as JSON |

Within a script, \`call_tool\` and \`call_tools\` return errors in the same format with the codes \`INVALID_ARGS\`, \`MAX_TOOL_CALLS_EXCEEDED\`, \`ARGUMENTS_MISMATCH\`, \`RESULT_TOO_LARGE\`,
\`SERVER_NOT_ALLOWED\`, \`TOOL_NOT_FOUND\`, \`TOOL_BLOCKED\`, \`PERMISSION_DENIED\`, \`SERVER_NOT_READY\`, \`UPSTREAM_TIMEOUT\`,
\`UPSTREAM_ERROR\`, \`CANCELLED\`, \`queue_full\` and \`queue_timeout\`.
`;
