/** The groups of keys: a heading, with keys or prefixes of keys. */
const GROUPS: readonly (readonly [title: string, keys: readonly (string | RegExp)[]])[] = [
  [
    "Access",
    [
      "listen",
      "tls",
      "enable_socket",
      "require_mcp_auth",
      "auth",
      /^trusted_/,
      "outbound_allow",
      "reveal_secret_headers",
      "read_only_mode",
      "disable_management",
      /^allow_server_/,
    ],
  ],
  ["What clients see", ["routing_mode", /tool_response_(?:mode|limit)$/, "tools_limit", "expose", "instructions"]],
  ["Trust", ["quarantine_enabled", "intent_declaration", "lock"]],
  [
    "Calls",
    [
      "call_tool_timeout",
      "validate_arguments",
      "max_concurrent_requests",
      /^queue_/,
      "max_request_memory_mb",
      "server_concurrency_defaults",
    ],
  ],
  ["Servers", [/_interval$/, "init_timeout", /^oauth_/, "environment"]],
  ["Isolation", ["docker_isolation"]],
  ["Code", [/code_execution/]],
  ["Scans of servers", ["security"]],
  ["Sensitive data", [/^sensitive_/, /^output_/]],
  ["Activity and logs", [/^activity_/, "logging", "audit_log", "data_dir"]],
  ["Monitoring", ["metrics", "otlp"]],
  ["Notifications and receivers", ["notifications", "sinks"]],
  ["Registries and updates", [/registr/, "update_check"]],
  ["Cluster", ["cluster"]],
  ["Multi-user edition", ["server_edition"]],
];

/** Keys with separate pages, and secret ones. */
const ELSEWHERE = new Set(["api_key", "mcpServers", "profiles", "registries"]);

/** Groups keys by heading, each key once; the rest comes last. */
export function grouped(keys: readonly string[]): [title: string, keys: string[]][] {
  const left = new Set(keys.filter((k) => !ELSEWHERE.has(k)));
  const groups: [string, string[]][] = [];
  for (const [title, wanted] of GROUPS) {
    const own = [...left].filter((key) => wanted.some((w) => (typeof w === "string" ? w === key : w.test(key))));
    for (const key of own) left.delete(key);
    if (own.length > 0) groups.push([title, own]);
  }
  return left.size > 0 ? [...groups, ["Other", [...left]]] : groups;
}
