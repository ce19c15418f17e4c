import type { Severity } from "../schema/sensitive-finding.ts";

/** A kind of token that shows by its own letters what it is. */
export interface TokenShape {
  readonly type: string;
  readonly category: "cloud_credentials" | "api_token" | "auth_token";
  readonly severity: Severity;
  /**
   * What detection reports: source of an expression without capturing groups. It starts with letters of its own and
   * ends in one run of one class, or is bounded in length: so nothing is read twice, and any text takes time in
   * proportion to its length.
   */
  readonly source: string;
  /**
   * What masking hides, where that is more than what detection reports: a value masked by mistake costs less than one
   * that is shown. False where another row's expression covers it, or where masking reads the address or assignment
   * that the token stands in, to keep the rest of that readable.
   */
  readonly masked: string | false;
  /** What a value must hold, beside its shape, to be reported. */
  readonly needs?: "digit" | "digit and capital";
}

type Options = Partial<Pick<TokenShape, "masked" | "needs">>;
type Row = readonly [type: string, severity: Severity, source: string, options?: Options];

const rows = (category: TokenShape["category"], list: readonly Row[]): TokenShape[] =>
  list.map(([type, severity, source, options]) => ({ type, category, severity, source, masked: source, ...options }));

/** Detection reports the first that fits (reference 8.3); masking hides all of them (spec 000 §2.9 rule 4). */
export const TOKEN_SHAPES: readonly TokenShape[] = [
  ...rows("cloud_credentials", [
    [
      "aws_access_key",
      "critical",
      "(?:AKIA|ASIA|AROA|AIDA|AGPA|AIPA|ANPA|ANVA|ABIA|ACCA|APKA|A3T[A-Z0-9])[A-Z0-9]{16}(?![A-Za-z0-9])",
      { needs: "digit" },
    ],
    ["google_ai_key", "critical", "AIzaSy[\\w-]{33}(?![\\w-])", { masked: false }],
    ["gcp_api_key", "high", "AIza[\\w-]{35}(?![\\w-])", { masked: "AIza[\\w-]{35}" }],
    ["gcp_access_token", "high", "ya29\\.[\\w-]{20,}"],
    ["gcp_oauth_secret", "critical", "GOCSPX-[\\w-]{20,}"],
    ["azure_connection_string", "critical", "AccountKey=[A-Za-z0-9+/]{20,}={0,2}", { masked: false }],
    ["digitalocean_token", "critical", "do[opr]_v1_[a-f0-9]{64}"],
    ["vault_token", "critical", "hv[sb]\\.[\\w-]{24,}", { masked: "hv[sb]\\.[\\w-]{20,}" }],
  ]),
  ...rows("api_token", [
    ["github_pat", "critical", "(?:ghp_[A-Za-z0-9]{36,}|github_pat_\\w{22,})"],
    ["github_oauth", "high", "gho_[A-Za-z0-9]{36,}"],
    ["github_app", "high", "gh[su]_[A-Za-z0-9]{36,}"],
    ["github_refresh", "high", "ghr_[A-Za-z0-9]{36,}"],
    ["gitlab_pat", "critical", "glpat-[\\w-]{20,}"],
    ["gitlab_token", "high", "gl(?:dt|rt|cbt|ptt|ft|soat|agent|imt)-[\\w-]{20,}"],
    [
      "stripe_key",
      "critical",
      "(?:sk|pk|rk)_(?:live|test)_[A-Za-z0-9]{24,}",
      { masked: "(?:sk|pk|rk)_(?:live|test)_[A-Za-z0-9]{16,}" },
    ],
    ["stripe_webhook_secret", "high", "whsec_[A-Za-z0-9+/]{24,}", { needs: "digit" }],
    ["slack_token", "high", "(?:xox[a-z]|xapp)-[A-Za-z0-9-]{10,}", { needs: "digit" }],
    ["slack_webhook", "high", "https://hooks\\.slack\\.com/services/T\\w{6,16}/B\\w{6,16}/\\w{20,}", { masked: false }],
    ["sendgrid_key", "high", "SG\\.[\\w-]{20,64}\\.[\\w-]{40,}", { masked: "SG\\.[\\w-]{16,64}\\.[\\w-]{16,}" }],
    ["npm_token", "critical", "npm_[A-Za-z0-9]{36,}", { needs: "digit" }],
    ["pypi_token", "critical", "pypi-[\\w-]{50,}", { needs: "digit" }],
    ["docker_token", "critical", "dckr_(?:pat|oat)_[\\w-]{20,}"],
    ["atlassian_token", "critical", "(?:ATATT3[\\w=-]{20,}|ATBB[A-Za-z0-9]{24,})"],
    ["shopify_token", "critical", "shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32,}"],
    ["square_token", "critical", "sq0(?:atp|csp)-[\\w-]{20,}"],
    ["twilio_key", "high", "SK[0-9a-f]{32}(?![0-9a-f])"],
    ["mailgun_key", "high", "key-[0-9a-f]{32}(?![0-9a-f])"],
    ["telegram_token", "high", "(?:bot)?\\d{8,10}:AA[\\w-]{33}(?![\\w-])", { masked: "(?:bot)?\\d{8,10}:[\\w-]{35,}" }],
    ["discord_token", "high", "[MNO][\\w-]{23,27}\\.[\\w-]{6}\\.[\\w-]{27,}", { needs: "digit" }],
    ["linear_key", "high", "lin_api_[A-Za-z0-9]{32,}"],
    ["notion_token", "high", "(?:ntn|secret)_[A-Za-z0-9]{40,}", { needs: "digit" }],
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
    ["newrelic_key", "high", "NR(?:AK|II|JS|RA|AL)-[A-Za-z0-9]{20,}", { needs: "digit" }],
    ["sentry_token", "high", "sntry[su]_[\\w+/-]{40,}"],
    ["airtable_token", "high", "pat[A-Za-z0-9]{14}\\.[0-9a-f]{64}"],
    ["hubspot_token", "high", "pat-(?:na|eu)\\d-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"],
    [
      "plaid_token",
      "high",
      "access-(?:sandbox|development|production)-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
    ],
    ["nuget_key", "high", "oy2[a-z0-9]{43}(?![A-Za-z0-9])", { needs: "digit" }],
    ["dynatrace_token", "high", "dt0[a-z]\\d{2}\\.[A-Z0-9]{24}\\.[A-Z0-9]{64}"],
    ["neon_key", "high", "napi_[a-z0-9]{60,}", { needs: "digit" }],
    ["prefect_key", "high", "pn[bu]_[A-Za-z0-9]{36,}", { needs: "digit" }],
    ["discord_webhook", "high", "https://discord(?:app)?\\.com/api/webhooks/\\d{17,20}/[\\w-]{60,}", { masked: false }],
    ["age_key", "critical", "AGE-SECRET-KEY-1[0-9A-Z]{50,}"],
    ["agent_token", "critical", "mcp_agt_[\\w-]{16,}"],
    ["anthropic_key", "critical", "sk-ant-[a-z]{2,8}\\d{2}-[\\w-]{20,}", { masked: false }],
    ["openrouter_key", "critical", "sk-or-v1-[0-9a-f]{32,}", { masked: false }],
    [
      "openai_key",
      "critical",
      "sk-(?:(?:proj|svcacct|admin)-[\\w-]{32,}|[A-Za-z0-9]{32,})",
      { needs: "digit", masked: "sk-[\\w-]{20,}" },
    ],
    ["xai_key", "critical", "xai-[A-Za-z0-9]{48,}", { masked: "xai-[A-Za-z0-9]{40,}" }],
    ["groq_key", "critical", "gsk_[A-Za-z0-9]{48,}", { masked: "gsk_[A-Za-z0-9]{40,}" }],
    ["huggingface_token", "critical", "hf_[A-Za-z0-9]{34,}", { masked: "hf_[A-Za-z0-9]{30,}" }],
    ["huggingface_org_token", "critical", "api_org_[A-Za-z0-9]{34,}", { masked: "api_org_[A-Za-z0-9]{30,}" }],
    ["replicate_key", "critical", "r8_[A-Za-z0-9]{37,}", { masked: "r8_[A-Za-z0-9]{30,}" }],
    ["perplexity_key", "critical", "pplx-[A-Za-z0-9]{48,}", { masked: "pplx-[A-Za-z0-9]{40,}" }],
    ["fireworks_key", "critical", "fw_[A-Za-z0-9]{20,}", { needs: "digit and capital" }],
    ["anyscale_key", "critical", "esecret_[A-Za-z0-9]{20,}"],
  ]),
  ...rows("auth_token", [
    // Near the beginning of its run: a run of many such beginnings would be read once for each of them.
    [
      "jwt_token",
      "high",
      "(?<![\\w.-])eyJ[\\w-]{8,}\\.eyJ[\\w-]{4,}\\.[\\w-]{16,}",
      {
        masked: "(?:(?<![\\w-])|(?<=(?<![\\w-])[\\w-]{0,32}[_-]))eyJ[\\w-]{8,}(?:\\.[\\w-]+){2,4}",
      },
    ],
  ]),
];
