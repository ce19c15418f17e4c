/** Spelling of words in keys. */
const WORDS: Readonly<Record<string, string>> = {
  api: "API",
  cert: "certificate",
  certs: "certificates",
  cpu: "CPU",
  dir: "folder",
  dirs: "folders",
  hsts: "HSTS",
  http: "HTTP",
  id: "ID",
  mb: "(MB)",
  mcp: "MCP",
  min: "(minutes)",
  ms: "(ms)",
  oauth: "OAuth",
  tls: "TLS",
  url: "URL",
};

/** Labels of keys whose own words are not clear enough. */
const LABELS: Readonly<Record<string, string>> = {
  call_tool_timeout: "Tool call timeout",
  direct_tool_response_mode: "Tool descriptions on /mcp/all",
  enable_cache_volume: "Cache volume",
  enable_code_execution: "Code execution",
  enable_socket: "Local socket",
  hsts: "HSTS header",
  init_timeout: "Start timeout",
  intent_declaration: "Declared intent",
  oauth_expiry_warning_hours: "Warn before a sign-in expires (hours)",
  outbound_allow: "Allowed outbound addresses",
  read_only_mode: "Read-only mode",
  require_client_cert: "Require a client certificate",
  require_mcp_auth: "Require a credential on /mcp",
  reveal_secret_headers: "Show secret headers",
  routing_mode: "Mode of /mcp",
  server_edition: "Multi-user edition",
  tool_response_mode: "Tool descriptions in search results",
};

/** The label of a key: `queue_timeout` is *Queue timeout*. */
export function keyLabel(key: string): string {
  if (Object.hasOwn(LABELS, key)) return LABELS[key]!;
  const text = key
    .split("_")
    .map((word) => WORDS[word] ?? word)
    .join(" ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}
