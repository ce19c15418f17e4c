import labels from "./key-labels.json";

/** Spelling of words in keys. */
const WORDS: Readonly<Record<string, string>> = {
  $schema: "JSON Schema",
  api: "API",
  cert: "certificate",
  certs: "certificates",
  cpu: "CPU",
  dir: "folder",
  dirs: "folders",
  days: "(days)",
  hsts: "HSTS",
  http: "HTTP",
  id: "ID",
  kb: "(KB)",
  mb: "(MB)",
  mcp: "MCP",
  ms: "(ms)",
  oauth: "OAuth",
  smtp: "SMTP",
  tls: "TLS",
  ttl: "lifetime",
  uri: "URI",
  uris: "URIs",
  url: "URL",
};

/** Labels of keys whose own words do not say what the setting does. */
const LABELS: Readonly<Record<string, string>> = labels;

/** The label of a key: `memory_limit` is *Memory limit*. */
export function keyLabel(key: string): string {
  if (Object.hasOwn(LABELS, key)) return LABELS[key]!;
  const text = key
    .split("_")
    .map((word) => WORDS[word] ?? word)
    .join(" ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}
