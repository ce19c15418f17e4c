import type { SensitiveSeverity } from "../../core/schema/sensitive-finding.ts";

/** A slash or a backslash; the backslash may be escaped. */
const S = "(?:/|\\\\{1,2})";
const NAME = "[\\w.-]{1,64}";
/** The start of a path, or the end of a directory. */
const EDGE = "(?<![\\w.-])";
const END = "(?![\\w-]|\\.\\w)";

const FILES: readonly (readonly [string, SensitiveSeverity, string])[] = [
  ["ssh_private_key", "critical", `\\.ssh${S}(?:id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?|${NAME}_key)${END}`],
  ["aws_credentials", "critical", `\\.aws${S}(?:credentials|config)${END}`],
  [
    "gcp_credentials",
    "critical",
    `(?:application_default_credentials\\.json|gcloud${S}credentials\\.db|[\\w-]{0,64}service[_-]account[\\w-]{0,64}\\.json)${END}`,
  ],
  ["azure_credentials", "critical", `\\.azure${S}(?:accessTokens|azureProfile|msal_token_cache)\\.(?:json|bin)${END}`],
  ["kubeconfig", "high", `(?:\\.kube${S}config|kubeconfig(?:\\.ya?ml)?)${END}`],
  ["docker_config", "high", `\\.docker${S}config\\.json${END}`],
  ["env_file", "high", `\\.env(?:\\.(?:local|production|development|staging|prod|dev))?${END}`],
  ["git_credentials", "high", `(?:\\.git-credentials|\\.gitconfig)${END}`],
  ["package_registry_credentials", "high", `(?:\\.npmrc|\\.pypirc|\\.netrc|_netrc)${END}`],
  ["macos_keychain", "critical", `(?:Library${S}Keychains${S}|login\\.keychain(?:-db)?${END})`],
  [
    "windows_credentials",
    "critical",
    `(?:Microsoft${S}(?:Credentials|Protect|Vault)${S}|System32${S}config${S}(?:SAM|SYSTEM|SECURITY)${END})`,
  ],
];

/** Files that are secret because of their location, on any operating system: a server may run on another one. */
export const FILE = new RegExp(
  `(?:${EDGE}(?:${FILES.map(([, , source]) => `(${source})`).join("|")})|(${EDGE}${S}etc${S}(?:shadow|gshadow|sudoers|passwd)${END}))`,
  "gi",
);

/** Type and severity by the group of `FILE`, from group 1. */
export const FILE_TYPES: readonly (readonly [string, SensitiveSeverity])[] = [
  ...FILES.map(([type, severity]) => [type, severity] as const),
  ["linux_shadow", "critical"],
];

/** Files that are secret because of their extension; code such as `item.key` is excluded. */
export const KEY_FILE =
  /(?<=["'/\\])(?!(?:ca|cert|chain|fullchain|public)[\w-]{0,32}\.pem)(?:[\w.-]{0,64}[\w-]\.(?:pem|key|ppk|p12|pfx|kdbx|jks|keystore)|\.?pgpass)(?=["'\s,;)\]]|$)/gi;
/** Matches `prod.env`, but not code such as `process.env`. */
export const ENV_FILE = /(?<=["'/\\])(?!process\.|meta\.|os\.|Deno\.|Bun\.)[\w-]{1,64}\.env(?=["'\s,;)\]]|$)/gi;
