import type { Severity } from "../../core/schema/sensitive-finding.ts";

/** What a value must hold beside its shape. */
type Check = (value: string) => boolean;

export interface Shape {
  type: string;
  category: string;
  severity: Severity;
  /**
   * Source of an expression without capturing groups. It starts with letters of its own and ends in one run of one
   * class, or is bounded in length: so nothing is read twice, and any text takes time in proportion to its length.
   */
  source: string;
  check?: Check;
}

const hasDigit: Check = (value) => /\d/.test(value);
/** Of a run that can hold a shape: `redis://:x@h`. (characters) */
export const SHORTEST = 12;

/** `user:password@host`, behind `://`. */
const LOGIN = "://[^\\s:@/\"'<>]{0,128}:[^\\s@/\"'<>]{1,256}@[\\w.[\\]-]{1,253}";

const rows = (category: string, list: readonly (readonly [string, Severity, string, Check?])[]): Shape[] =>
  list.map(([type, severity, source, check]) => ({ type, category, severity, source, ...(check && { check }) }));

/**
 * Values that show what they are wherever they stand, in one run of at least `SHORTEST` characters; the first that fits
 * counts (reference 8.3).
 */
export const SHAPES: readonly Shape[] = [
  ...rows("cloud_credentials", [
    [
      "aws_access_key",
      "critical",
      "(?:AKIA|ASIA|AROA|AIDA|AGPA|AIPA|ANPA|ANVA|ABIA|ACCA|APKA|A3T[A-Z0-9])[A-Z0-9]{16}(?![A-Za-z0-9])",
      hasDigit,
    ],
    ["google_ai_key", "critical", "AIzaSy[\\w-]{33}(?![\\w-])"],
    ["gcp_api_key", "high", "AIza[\\w-]{35}(?![\\w-])"],
    ["gcp_access_token", "high", "ya29\\.[\\w-]{20,}"],
    ["gcp_oauth_secret", "critical", "GOCSPX-[\\w-]{20,}"],
    ["azure_connection_string", "critical", "AccountKey=[A-Za-z0-9+/]{20,}={0,2}"],
    ["digitalocean_token", "critical", "do[opr]_v1_[a-f0-9]{64}"],
    ["vault_token", "critical", "hv[sb]\\.[\\w-]{24,}"],
  ]),
  ...rows("api_token", [
    ["github_pat", "critical", "(?:ghp_[A-Za-z0-9]{36,}|github_pat_\\w{22,})"],
    ["github_oauth", "high", "gho_[A-Za-z0-9]{36,}"],
    ["github_app", "high", "gh[su]_[A-Za-z0-9]{36,}"],
    ["github_refresh", "high", "ghr_[A-Za-z0-9]{36,}"],
    ["gitlab_pat", "critical", "glpat-[\\w-]{20,}"],
    ["gitlab_token", "high", "gl(?:dt|rt|cbt|ptt|ft|soat|agent|imt)-[\\w-]{20,}"],
    ["stripe_key", "critical", "(?:sk|pk|rk)_(?:live|test)_[A-Za-z0-9]{24,}"],
    ["stripe_webhook_secret", "high", "whsec_[A-Za-z0-9+/]{24,}", hasDigit],
    ["slack_token", "high", "(?:xox[a-z]|xapp)-[A-Za-z0-9-]{10,}", hasDigit],
    ["slack_webhook", "high", "https://hooks\\.slack\\.com/services/T\\w{6,16}/B\\w{6,16}/\\w{20,}"],
    ["sendgrid_key", "high", "SG\\.[\\w-]{20,64}\\.[\\w-]{40,}"],
    ["npm_token", "critical", "npm_[A-Za-z0-9]{36,}", hasDigit],
    ["pypi_token", "critical", "pypi-[\\w-]{50,}", hasDigit],
    ["docker_token", "critical", "dckr_(?:pat|oat)_[\\w-]{20,}"],
    ["atlassian_token", "critical", "(?:ATATT3[\\w=-]{20,}|ATBB[A-Za-z0-9]{24,})"],
    ["shopify_token", "critical", "shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32,}"],
    ["square_token", "critical", "sq0(?:atp|csp)-[\\w-]{20,}"],
    ["twilio_key", "high", "SK[0-9a-f]{32}(?![0-9a-f])"],
    ["mailgun_key", "high", "key-[0-9a-f]{32}(?![0-9a-f])"],
    ["telegram_token", "high", "(?:bot)?\\d{8,10}:AA[\\w-]{33}(?![\\w-])"],
    ["discord_token", "high", "[MNO][\\w-]{23,27}\\.[\\w-]{6}\\.[\\w-]{27,}", hasDigit],
    ["linear_key", "high", "lin_api_[A-Za-z0-9]{32,}"],
    ["notion_token", "high", "(?:ntn|secret)_[A-Za-z0-9]{40,}", hasDigit],
    ["figma_token", "high", "figd_[\\w-]{30,}"],
    ["grafana_token", "high", "glsa_\\w{30,}"],
    ["databricks_token", "critical", "dapi[0-9a-f]{32}(?![0-9a-f])"],
    ["supabase_token", "critical", "sbp_[0-9a-f]{40}(?![0-9a-f])"],
    ["postman_key", "critical", "PMAK-[0-9a-f]{24}-[0-9a-f]{34}"],
    ["langsmith_key", "critical", "lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}"],
    ["rubygems_key", "critical", "rubygems_[0-9a-f]{48}"],
    ["pulumi_token", "critical", "pul-[0-9a-f]{40}(?![0-9a-f])"],
    ["sonar_token", "high", "sq[apu]_[0-9a-f]{40}(?![0-9a-f])"],
    ["buildkite_token", "high", "bk(?:ua|ct|aj)_[A-Za-z0-9]{36,}"],
    ["newrelic_key", "high", "NR(?:AK|II|JS|RA|AL)-[A-Za-z0-9]{20,}", hasDigit],
    ["sentry_token", "high", "sntry[su]_[\\w+/-]{40,}"],
    ["airtable_token", "high", "pat[A-Za-z0-9]{14}\\.[0-9a-f]{64}"],
    ["hubspot_token", "high", "pat-(?:na|eu)\\d-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"],
    [
      "plaid_token",
      "high",
      "access-(?:sandbox|development|production)-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
    ],
    ["nuget_key", "high", "oy2[a-z0-9]{43}(?![A-Za-z0-9])", hasDigit],
    ["dynatrace_token", "high", "dt0[a-z]\\d{2}\\.[A-Z0-9]{24}\\.[A-Z0-9]{64}"],
    ["neon_key", "high", "napi_[a-z0-9]{60,}", hasDigit],
    ["prefect_key", "high", "pn[bu]_[A-Za-z0-9]{36,}", hasDigit],
    ["discord_webhook", "high", "https://discord(?:app)?\\.com/api/webhooks/\\d{17,20}/[\\w-]{60,}"],
    ["age_key", "critical", "AGE-SECRET-KEY-1[0-9A-Z]{50,}"],
    ["agent_token", "critical", "mcp_agt_[\\w-]{16,}"],
    ["anthropic_key", "critical", "sk-ant-[a-z]{2,8}\\d{2}-[\\w-]{20,}"],
    ["openrouter_key", "critical", "sk-or-v1-[0-9a-f]{32,}"],
    ["openai_key", "critical", "sk-(?:(?:proj|svcacct|admin)-[\\w-]{32,}|[A-Za-z0-9]{32,})", hasDigit],
    ["xai_key", "critical", "xai-[A-Za-z0-9]{48,}"],
    ["groq_key", "critical", "gsk_[A-Za-z0-9]{48,}"],
    ["huggingface_token", "critical", "hf_[A-Za-z0-9]{34,}"],
    ["huggingface_org_token", "critical", "api_org_[A-Za-z0-9]{34,}"],
    ["replicate_key", "critical", "r8_[A-Za-z0-9]{37,}"],
    ["perplexity_key", "critical", "pplx-[A-Za-z0-9]{48,}"],
    ["fireworks_key", "critical", "fw_[A-Za-z0-9]{20,}", (value) => /\d.*[A-Z]|[A-Z].*\d/.test(value)],
    ["anyscale_key", "critical", "esecret_[A-Za-z0-9]{20,}"],
  ]),
  // Not behind a hyphen or an underscore, where the run before could be read once for each of them.
  ...rows("auth_token", [["jwt_token", "high", "(?<![\\w.-])eyJ[\\w-]{8,}\\.eyJ[\\w-]{4,}\\.[\\w-]{16,}"]]),
  ...rows("database_credential", [
    ["mysql_connection", "critical", `(?:mysql|mariadb)(?:\\+\\w{1,16})?${LOGIN}`],
    ["postgres_connection", "critical", `postgres(?:ql)?(?:\\+\\w{1,16})?${LOGIN}`],
    ["mongodb_connection", "critical", `mongodb(?:\\+srv)?${LOGIN}`],
    ["redis_connection", "high", `redis(?:s|-sentinel)?${LOGIN}`],
    ["amqp_connection", "high", `amqps?${LOGIN}`],
    ["other_connection", "high", `(?:snowflake|clickhouse|cockroachdb|sqlserver|mssql|oracle|neo4j|cassandra)${LOGIN}`],
  ]),
];

/** The same for values with spaces or quotes in them. */
export const WIDE_SHAPES: readonly Shape[] = [
  ...rows("cloud_credentials", [
    ["gcp_service_account", "critical", '"type\\\\{0,3}"\\s{0,4}:\\s{0,4}\\\\{0,3}"service_account\\\\{0,3}"'],
  ]),
  ...rows("database_credential", [
    ["mssql_connection", "critical", "(?:Server|Data Source)=[^\"'\\n]{1,200}?;\\s?(?:Password|Pwd)=[^;\"'\\n]{1,128}"],
  ]),
];
