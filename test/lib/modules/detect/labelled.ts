import { type Random, seeded } from "#test/kit/random.ts";

/** A text and what is to be found in it: a type, or nothing. */
export interface Row {
  text: string;
  type?: string;
  example?: boolean;
}

const UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const LOWER = "abcdefghijklmnopqrstuvwxyz";
const DIGIT = "0123456789";
const HEX = "0123456789abcdef";
const ALNUM = UPPER + LOWER + DIGIT;

const of = (random: Random, alphabet: string, length: number) =>
  Array.from({ length }, () => random.pick([...alphabet])).join("");

/** Values of each type, made from their public forms: nothing here ever opened anything. */
const MAKE: Readonly<Record<string, (r: Random) => string>> = {
  aws_access_key: (r) => r.pick(["AKIA", "ASIA", "AROA"]) + of(r, `${UPPER}234567`, 14) + of(r, "234567", 2),
  aws_secret_key: (r) => `aws_secret_access_key = ${of(r, `${ALNUM}+/`, 38)}a7`,
  google_ai_key: (r) => `AIzaSy${of(r, `${ALNUM}_-`, 33)}`,
  gcp_api_key: (r) => `AIzaB${of(r, `${ALNUM}_-`, 34)}`,
  gcp_oauth_secret: (r) => `GOCSPX-${of(r, ALNUM, 28)}`,
  gcp_access_token: (r) => `ya29.${of(r, `${ALNUM}_-`, 60)}`,
  gcp_service_account: (r) => `{"type": "service_account", "project_id": "p${of(r, DIGIT, 5)}"}`,
  azure_connection_string: (r) =>
    `DefaultEndpointsProtocol=https;AccountName=st${of(r, LOWER, 6)};AccountKey=${of(r, `${ALNUM}+/`, 86)}==`,
  azure_client_secret: (r) => `AZURE_CLIENT_SECRET=${of(r, ALNUM, 3)}8Q~${of(r, `${ALNUM}_.~`, 33)}a`,
  digitalocean_token: (r) => `dop_v1_${of(r, HEX, 64)}`,
  vault_token: (r) => `hvs.${of(r, ALNUM, 24)}`,
  github_pat: (r) => r.pick([`ghp_${of(r, ALNUM, 36)}`, `github_pat_${of(r, ALNUM, 22)}_${of(r, ALNUM, 59)}`]),
  github_oauth: (r) => `gho_${of(r, ALNUM, 36)}`,
  github_app: (r) => `ghs_${of(r, ALNUM, 36)}`,
  github_refresh: (r) => `ghr_${of(r, ALNUM, 76)}`,
  gitlab_pat: (r) => `glpat-${of(r, `${ALNUM}_-`, 20)}`,
  stripe_key: (r) => `${r.pick(["sk", "rk", "pk"])}_${r.pick(["live", "test"])}_${of(r, ALNUM, 24)}`,
  slack_token: (r) => `xox${r.pick(["b", "p"])}-${of(r, DIGIT, 12)}-${of(r, DIGIT, 12)}-${of(r, ALNUM, 24)}`,
  slack_webhook: (r) => `https://hooks.slack.com/services/T${of(r, UPPER, 8)}/B${of(r, UPPER, 8)}/${of(r, ALNUM, 24)}`,
  sendgrid_key: (r) => `SG.${of(r, ALNUM, 22)}.${of(r, ALNUM, 43)}`,
  npm_token: (r) => `npm_${of(r, ALNUM, 35)}7`,
  pypi_token: (r) => `pypi-AgEIcHlwaS5vcmc${of(r, ALNUM, 60)}3`,
  docker_token: (r) => `dckr_pat_${of(r, ALNUM, 27)}`,
  shopify_token: (r) => `shpat_${of(r, HEX, 32)}`,
  telegram_token: (r) => `1${of(r, DIGIT, 9)}:AA${of(r, ALNUM, 33)}`,
  linear_key: (r) => `lin_api_${of(r, ALNUM, 40)}`,
  agent_token: (r) => `mcp_agt_${of(r, ALNUM, 43)}`,
  anthropic_key: (r) => `sk-ant-api03-${of(r, `${ALNUM}_-`, 93)}AA`,
  openai_key: (r) => r.pick([`sk-proj-${of(r, ALNUM, 47)}4`, `sk-${of(r, ALNUM, 47)}9`]),
  xai_key: (r) => `xai-${of(r, ALNUM, 80)}`,
  groq_key: (r) => `gsk_${of(r, ALNUM, 52)}`,
  huggingface_token: (r) => `hf_${of(r, UPPER + LOWER, 34)}`,
  replicate_key: (r) => `r8_${of(r, ALNUM, 37)}`,
  perplexity_key: (r) => `pplx-${of(r, ALNUM, 48)}`,
  mistral_key: (r) => `MISTRAL_API_KEY=${of(r, ALNUM, 30)}a7`,
  deepseek_key: (r) => `DEEPSEEK_API_KEY: sk-${of(r, HEX, 30)}a7`,
  jwt_token: (r) => `eyJhbGciOiJIUzI1NiJ9.eyJ1c2VyIjoi${of(r, ALNUM, 24)}.${of(r, `${ALNUM}_-`, 43)}`,
  bearer_token: (r) => `Authorization: Bearer ${of(r, LOWER + DIGIT, 30)}7`,
  mysql_connection: (r) =>
    r.pick([
      `mysql://app:${of(r, ALNUM, 12)}@db.internal:3306/shop`,
      `app:${of(r, ALNUM, 12)}@tcp(10.0.0.4:3306)/shop`,
    ]),
  postgres_connection: (r) => `postgres${r.pick(["", "ql"])}://svc:${of(r, ALNUM, 14)}@pg.internal/orders`,
  mongodb_connection: (r) => `mongodb+srv://svc:${of(r, ALNUM, 14)}@cluster0.ab1cd.mongodb.net/app`,
  redis_connection: (r) => `rediss://:${of(r, ALNUM, 16)}@cache.internal:6380`,
  mssql_connection: (r) => `Server=tcp:sql.internal,1433;Database=erp;User Id=sa;Password=${of(r, ALNUM, 14)};`,
  database_password: (r) => `${r.pick(["DB_PASSWORD", "POSTGRES_PASSWORD", "PGPASSWORD"])}=${of(r, ALNUM, 14)}`,
  credit_card: (r) => card(r),
  iban: (r) => iban(r),
  high_entropy_string: (r) => `${of(r, ALNUM, 44)}${of(r, "+/_-", 1)}aB3${of(r, ALNUM, 16)}`,
  rsa_private_key: (r) =>
    `-----BEGIN RSA PRIVATE KEY-----\n${of(r, ALNUM, 64)}\n${of(r, ALNUM, 64)}\n-----END RSA PRIVATE KEY-----`,
  openssh_private_key: (r) =>
    `-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEA${of(r, ALNUM, 50)}\n-----END OPENSSH PRIVATE KEY-----`,
  pkcs8_private_key: (r) => `-----BEGIN PRIVATE KEY-----\n${of(r, ALNUM, 64)}\n-----END PRIVATE KEY-----`,
  databricks_token: (r) => `dapi${of(r, HEX, 32)}`,
  supabase_token: (r) => `sbp_${of(r, HEX, 40)}`,
  postman_key: (r) => `PMAK-${of(r, HEX, 24)}-${of(r, HEX, 34)}`,
  langsmith_key: (r) => `lsv2_${r.pick(["pt", "sk"])}_${of(r, HEX, 32)}_${of(r, HEX, 10)}`,
  rubygems_key: (r) => `rubygems_${of(r, HEX, 48)}`,
  pulumi_token: (r) => `pul-${of(r, HEX, 40)}`,
  sonar_token: (r) => `${r.pick(["squ", "sqp", "sqa"])}_${of(r, HEX, 40)}`,
  buildkite_token: (r) => `bkua_${of(r, HEX, 40)}`,
  newrelic_key: (r) => `NRAK-${of(r, UPPER + DIGIT, 26)}7`,
  sentry_token: (r) => `sntryu_${of(r, HEX, 64)}`,
  airtable_token: (r) => `pat${of(r, ALNUM, 14)}.${of(r, HEX, 64)}`,
  hubspot_token: (r) => `pat-na1-${uuid(r)}`,
  plaid_token: (r) => `access-${r.pick(["sandbox", "production"])}-${uuid(r)}`,
  nuget_key: (r) => `oy2${of(r, LOWER + DIGIT, 42)}7`,
  dynatrace_token: (r) => `dt0c01.${of(r, UPPER, 24)}.${of(r, UPPER + DIGIT, 64)}`,
  neon_key: (r) => `napi_${of(r, LOWER + DIGIT, 63)}7`,
  prefect_key: (r) => `pnu_${of(r, LOWER + DIGIT, 35)}7`,
  discord_webhook: (r) => `https://discord.com/api/webhooks/1${of(r, DIGIT, 17)}/${of(r, `${ALNUM}_-`, 68)}`,
  other_connection: (r) => `${r.pick(["snowflake", "clickhouse"])}://svc:${of(r, ALNUM, 14)}@db.internal/x`,
  named_secret: (r) =>
    r.pick([
      `{"api_key": "${of(r, HEX, 30)}a7"}`,
      `ACME_API_TOKEN=${of(r, LOWER + DIGIT, 39)}7`,
      `client-secret: ${of(r, HEX, 30)}7b`,
    ]),
};

function uuid(r: Random): string {
  return [8, 4, 4, 4, 12].map((n) => of(r, HEX, n)).join("-");
}

function card(r: Random): string {
  const digits = `${r.pick(["4", "51", "55"])}${of(r, DIGIT, 15)}`.slice(0, 15);
  for (let check = 0; ; check++) {
    const number = digits + check;
    if (!luhn(number)) continue;
    return r.pick([number, number.replace(/(\d{4})(?=\d)/g, "$1 "), number.replace(/(\d{4})(?=\d)/g, "$1-")]);
  }
}

function luhn(number: string): boolean {
  const sum = [...number]
    .reverse()
    .map(Number)
    .reduce((all, d, i) => all + (i % 2 === 0 ? d : d * 2 > 9 ? d * 2 - 9 : d * 2), 0);
  return sum % 10 === 0;
}

function iban(r: Random): string {
  const account = of(r, DIGIT, 18);
  const rest = BigInt(`${account}131400`) % 97n;
  const plain = `DE${String(98n - rest).padStart(2, "0")}${account}`;
  return r.pick([plain, plain.replace(/(.{4})(?=.)/g, "$1 ")]);
}

/** Where people and programs leave such values. */
const AROUND: readonly ((value: string) => string)[] = [
  (value) => value,
  (value) => `please use ${value} for this`,
  (value) => JSON.stringify({ note: `found: ${value}` }),
  (value) => `line one\n${value}\nline three`,
  (value) => `curl -H 'X-Key: ${value}' https://api.internal/v1`,
  (value) => JSON.stringify({ inner: JSON.stringify({ text: `a\n${value}` }) }),
];

const KNOWN_EXAMPLES: readonly Row[] = [
  { text: "AKIAIOSFODNN7EXAMPLE", type: "aws_access_key", example: true },
  {
    text: "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    type: "aws_secret_key",
    example: true,
  },
  { text: "4111 1111 1111 1111", type: "credit_card", example: true },
  { text: "4242424242424242", type: "credit_card", example: true },
  { text: "3782 822463 10005", type: "credit_card", example: true },
  { text: "5555-5555-5555-4444", type: "credit_card", example: true },
  { text: "DE89 3704 0044 0532 0130 00", type: "iban", example: true },
  { text: "GB82WEST12345698765432", type: "iban", example: true },
  { text: "postgres://user:password@localhost:5432/db", type: "postgres_connection", example: true },
  { text: "mongodb://root:secret@mongo.internal/app", type: "mongodb_connection", example: true },
  { text: "sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx0", type: "openai_key", example: true },
  { text: "ghp_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", type: "github_pat", example: true },
  { text: "DB_PASSWORD=changeme", type: "database_password", example: true },
  {
    text: "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c",
    type: "jwt_token",
    example: true,
  },
];

export function positives(): Row[] {
  const random = seeded(20_260_131);
  const made = Object.entries(MAKE).flatMap(([type, make]) =>
    AROUND.map((around): Row => ({ text: around(make(random)), type })),
  );
  return [...made, ...KNOWN_EXAMPLES];
}

/** What looks like something and is nothing: the daily bread of tool calls. */
const HARMLESS = `
access_key: /srv/keys/2024/first.pub and more
"api_key": "your-api-key-goes-here-please"
the access token is read from the environment, see chapter 12
client_secret = os.environ["CLIENT_SECRET_2024"]
api_key: "\${SERVICE_API_KEY_2024_PRODUCTION}"
secret_key_rotation_days: 90, api_token_limit: 25
auth-token-endpoint-v2 is https://id.example.com/oauth2/token
patient-na1 and pat-north-1 are names of regions
access-production-2024-report.pdf
pul-request-1234 and sq_milestone_2024
napi_create_function, napi_get_value_string_utf8
snowflake://account.eu-1/warehouse without a login
The quick brown fox jumps over the lazy dog.
Bearer token missing or invalid; see the documentation on authentication
use "Authorization: Bearer <token>" as the header
export OPENAI_API_KEY=$OPENAI_API_KEY
api_key: \${keyring:github-token}
DB_PASSWORD=\${DB_PASSWORD}
POSTGRES_PASSWORD: $POSTGRES_PASSWORD
const dbPassword = process.env.DB_PASSWORD;
db_password: required
db_password = os.environ["DB_PASSWORD"]
MYSQL_PASSWORD=<the password>
mistral: the wind of southern France
commit 9fceb02d0ae598e95dc970b74767f19372d61af8
sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
"integrity": "sha512-v2kDEe57lecTulaDIuNTPy3Ry4gLGJ6Z1O3vE1krgXZNrsQ+LFTGHVxVjcXPs17LhbZVGedAJv8XZ1tvj5FvSg=="
550e8400-e29b-41d4-a716-446655440000
urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6
01ARZ3NDEKTSV4RRFFQ69G5FAV
arn:aws:iam::123456789012:role/service-role/AmazonSageMaker-ExecutionRole
arn:aws:s3:::my-application-logs-bucket/2026/01/31/access.log
/usr/local/lib/node_modules/@modelcontextprotocol/server-filesystem/dist/index.js
/home/user/projects/MyCompany.Platform.Services/src/Controllers/AccountController.cs
C:\\Users\\Public\\Documents\\QuarterlyReports\\2025\\Q4FinalVersion.xlsx
https://example.org/articles/2026/01/31/how-to-write-better-tests-for-your-code?page=2
https://fonts.googleapis.com/css2?family=Inter:wght@400;500;700&display=swap
https://github.com/owner/repository/blob/main/packages/core/src/index.ts#L120-L140
git@github.com:owner/repository.git
postgres://localhost:5432/development
mysql://db.internal/shop
redis://cache.internal:6379/0
mongodb://localhost:27017
user@example.org
+49 30 901820
(555) 010-4477
1738316400000
1738316400123456789
order 4111111111111112 was shipped
invoice number 2026-0001-4711-0815
tracking 1Z999AA10123456784
ISBN 978-3-16-148410-0
EAN 4006381333931
snowflake 1234567890123456789
phone 4915112345678
3.14159265358979323846264338327950288
0.4111111111111111
4111.1111.1111
version 10.15.7.4111
2026-01-31T09:30:00.000Z
2026-01-31 09:30:00,123 INFO [main-thread-pool-7] c.e.s.OrderService - order accepted
package com.example.enterprise.application.configuration.properties;
function calculateMonthlyRecurringRevenueByCustomerSegment(customers) {
MAX_CONCURRENT_REQUESTS_PER_UPSTREAM_SERVER=100
X-Amz-Content-Sha256: UNSIGNED-PAYLOAD
class="mt-4 px-6 py-2 text-sm font-medium rounded-md bg-indigo-600 hover:bg-indigo-700"
btn-primary-outline-large-with-icon-left-and-shadow
sk-fading-circle sk-circle1 sk-circle2 sk-circle10 sk-child
this task-management-and-scheduling-application
ask-a-question-about-your-account
npm_config_registry npm_package_version npm_lifecycle_event
pypi-publish-action
hf_transformers_cache_directory_for_models
fw_configurationmanagerinstance
key-value-store-implementation-details
SG.Singapore.AsiaPacific
xoxo hugs and kisses
xapp is not a token
AKIA is the prefix of an access key
ghp_ is the prefix of a token
"ghp_" + token.slice(0, 4)
AIza
-----BEGIN CERTIFICATE-----
-----BEGIN PUBLIC KEY-----
-----BEGIN PGP PUBLIC KEY BLOCK-----
ssh-ed25519 is a type of key
data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7
#ff00ff #00ff00 #0000ff
aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
ABCDEFGHIJKLMNOPQRSTUVWXYZ
0123456789
========================================
----------------------------------------
________________________________________
lorem_ipsum_dolor_sit_amet_consectetur_adipiscing_elit
MixedCaseIdentifierWithManyWordsInIt
getUserAccountDetailsByEmailAddressAndTenant
kubernetes.io/service-account-token
app.kubernetes.io/managed-by=Helm
pod/checkout-7d9f8b6c5d-x2x4z 1/1 Running 0 3d
docker.io/library/postgres:16.2-alpine3.19
registry.example.org/team/service@sha256:9b2cf535f27731c974343645a3985328f4a1e4f6d7a0c0e9d4d1e6a4a5c2a1b0
etag: W/"5e7-18d5e1b8c3a"
Set-Cookie: theme=dark; Path=/
If-None-Match: "33a64df551425fcc55e4d42a148795d9f25f89d4"
select id, name, email from customers where created_at > now() - interval '7 days'
{"id": 42, "name": "Ada", "tags": ["admin", "beta"]}
{"type": "service", "name": "checkout"}
{"next_page_token": "CAUQAA", "total": 120}
{"cursor": "eyJpZCI6NDJ9"}
{"eTag": "d41d8cd98f00b204e9800998ecf8427e"}
total_tokens: 1284, prompt_tokens: 1100, completion_tokens: 184
max_tokens=4096 temperature=0.7
password must be at least 12 characters
the secret of good code is to delete most of it
tokens per second: 48.2
public_key_fingerprint=SHA256:nThbg6kXUpJWGl7E1IGOCspRomTxdCARLviKw6E5SY8
$2b$ is how a bcrypt hash begins
DE00 0000 0000 0000 0000 00
GB00WEST00000000000000
FR76 is how French accounts often begin
IT IS ALL ONE 2026 TEXT
Server=localhost;Database=test;Trusted_Connection=True;
AccountName=storage;EndpointSuffix=core.windows.net
see .gitignore, .editorconfig and .eslintrc.json
node_modules/.cache/terser-webpack-plugin/content-v2/sha512/1a/2b
0x742d35Cc6634C0532925a3b844Bc454e4438f44e
bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi
QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG
T29CD3FG8 U024BE7LH C024BE91L
cus_9s6XKzkNRiz8i3 ch_1AbCdEfGhIjKlMnO
pk.the-quick-brown-fox
I/O error; read/write head/tail and/or before/after
2 + 2 = 4; 4 > 3; a = b
`
  .split("\n")
  .filter((line) => line !== "");

export function negatives(): Row[] {
  const random = seeded(4711);
  const hex = (length: number) => of(random, HEX, length);
  const word = () =>
    random.pick("account order customer invoice report summary backend service detail user".split(" "));
  const name = () => [word(), word(), word(), word()].join(random.pick(["-", "_", "/"]));
  const made = Array.from({ length: 16 }, () => [
    hex(40),
    `sha256:${hex(64)}`,
    `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`,
    `https://example.org/${name()}/${of(random, DIGIT, 6)}?page=${of(random, DIGIT, 2)}`,
    `/srv/${name()}/${name()}.ts`,
    `17383${of(random, DIGIT, 8)}`,
    `1${of(random, DIGIT, 18)}`,
    `${name()}_${of(random, DIGIT, 4)}`,
    `sha512-${of(random, ALNUM, 86)}==`,
    `data:image/png;base64,${of(random, `${ALNUM}+/`, 600)}`,
    Array.from({ length: 6 }, () => of(random, `${ALNUM}+/`, 76)).join("\n"),
    `\x1b[3${of(random, "1234567", 1)}m${name()}\x1b[0m`,
  ]).flat();
  return [...HARMLESS, ...made].map((text) => ({ text }));
}

/** Paths in arguments. */
export const FILES: readonly Row[] = [
  { text: "/home/ada/.ssh/id_rsa", type: "ssh_private_key" },
  { text: "~/.ssh/id_ed25519", type: "ssh_private_key" },
  { text: "cat ~/.ssh/deploy_key", type: "ssh_private_key" },
  { text: "C:\\Users\\ada\\.ssh\\id_ecdsa", type: "ssh_private_key" },
  { text: "~/.aws/credentials", type: "aws_credentials" },
  { text: "%USERPROFILE%\\.aws\\credentials", type: "aws_credentials" },
  { text: "~/.config/gcloud/application_default_credentials.json", type: "gcp_credentials" },
  { text: "/etc/keys/my-service-account-prod.json", type: "gcp_credentials" },
  { text: "~/.azure/accessTokens.json", type: "azure_credentials" },
  { text: "/root/.kube/config", type: "kubeconfig" },
  { text: "~/.docker/config.json", type: "docker_config" },
  { text: ".env", type: "env_file" },
  { text: "/srv/app/.env.production", type: "env_file" },
  { text: "deploy/prod.env", type: "env_file" },
  { text: "/etc/ssl/private/server.key", type: "private_key_file" },
  { text: "keys/apns.p12", type: "private_key_file" },
  { text: "vault.kdbx", type: "private_key_file" },
  { text: "~/.git-credentials", type: "git_credentials" },
  { text: "~/.npmrc", type: "package_registry_credentials" },
  { text: "~/.netrc", type: "package_registry_credentials" },
  { text: "~/Library/Keychains/login.keychain-db", type: "macos_keychain" },
  { text: "C:\\Windows\\System32\\config\\SAM", type: "windows_credentials" },
  { text: "/etc/shadow", type: "linux_shadow" },
  { text: "/etc/passwd", type: "linux_shadow" },
  { text: "~/.ssh/id_rsa.pub" },
  { text: "~/.ssh/known_hosts" },
  { text: "src/environment.ts" },
  { text: "process.env" },
  { text: "const port = process.env.PORT ?? item.key;" },
  { text: "for (const key of map.keys()) use(map.key)" },
  { text: ".environment" },
  { text: ".env.example" },
  { text: "/etc/hosts" },
  { text: "docs/.npmrc.md" },
  { text: "certs/ca.pem" },
  { text: "certs/fullchain.pem" },
  { text: "keyboard.kbd" },
  { text: "config.json" },
  { text: "README.md" },
  { text: "src/awsCredentialsPanel.tsx" },
];
