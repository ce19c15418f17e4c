import { isPathLike } from "../../core/secrets/mask/entropy.ts";
import type { Shape } from "./shapes.ts";

/** A value that only its name identifies as a secret: `name = value`, `"name": "value"`. The match is the value. */
type Keyed = Omit<Shape, "source"> & {
  /** Source of the expression for the name, case-insensitive. `source` is that of the value. */
  name: string;
  value: string;
};

const DATABASE = "(?:db|database|mysql|mariadb|postgres(?:ql)?|pg(?:sql)?|mongo(?:db)?|redis|mssql|oracle)";

/** Excludes a variable, a function call or a sentence in the place of a value. */
const literal = (value: string) =>
  !/^(?:\$|%|<|\{|process\.|os\.|env[.[(]|getenv|(?:null|nil|none|undefined|true|false|required|missing|invalid|string|secret)$|•)/i.test(
    value,
  ) && !/[([]/.test(value);
const mixed = (value: string) => /\d/.test(value) && /[a-z]/i.test(value);

/**
 * The named values (reference 8.3). The value follows its name within a few characters, and both have a maximum length.
 */
export const KEYED: readonly Keyed[] = [
  {
    type: "aws_secret_key",
    category: "cloud_credentials",
    severity: "critical",
    name: "aws[_-]?(?:secret[_-]?)?(?:access[_-]?)?key|secret[_-]?access[_-]?key|aws[_-]?secret",
    value: "[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/=])",
    check: mixed,
  },
  {
    type: "azure_client_secret",
    category: "cloud_credentials",
    severity: "high",
    name: "(?:azure|arm|aad)[_-]?(?:ad[_-]?)?(?:client|app)[_-]?(?:secret|password)",
    value: "[\\w.~-]{34,64}(?![\\w.~-])",
    check: mixed,
  },
  {
    type: "database_password",
    category: "database_credential",
    severity: "high",
    name: `${DATABASE}[_-]?(?:root[_-]|user[_-]|admin[_-])?(?:password|passwd|pass|pwd)`,
    value: "[^\\s\"'`,;\\\\]{4,128}",
    check: literal,
  },
  {
    type: "named_secret",
    category: "api_token",
    severity: "medium",
    name: "(?:api|access|secret|auth|signing|client)[_-]?(?:key|token|secret)",
    value: "[\\w.+/~-]{20,256}",
    check: (value) => literal(value) && mixed(value) && !isPathLike(value),
  },
  { type: "deepseek_key", ...near("deepseek", "sk-[a-f0-9]{32}(?![A-Za-z0-9])") },
  { type: "mistral_key", ...near("mistral", "[A-Za-z0-9]{32}(?![A-Za-z0-9])") },
  { type: "cohere_key", ...near("cohere", "[A-Za-z0-9]{40}(?![A-Za-z0-9])") },
  { type: "together_key", ...near("together(?:[_-]?ai)?", "[a-f0-9]{40,64}(?![A-Za-z0-9])") },
];

/** A key of this vendor, under a name such as `MISTRAL_API_KEY`. */
function near(vendor: string, value: string) {
  return {
    category: "api_token",
    severity: "high" as const,
    name: `${vendor}[_-]?(?:api[_-]?)?(?:key|token|secret)?`,
    value,
    check: mixed,
  };
}
