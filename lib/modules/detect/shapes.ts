import type { SensitiveSeverity } from "../../core/schema/sensitive-finding.ts";
import { TOKEN_SHAPES, type TokenShape } from "../../core/secrets/token-shapes.ts";

/** A further condition on the value. */
type Check = (value: string) => boolean;

export interface Shape {
  type: string;
  category: string;
  severity: SensitiveSeverity;
  /** Source of an expression without capturing groups, that runs in linear time (`TokenShape.source`). */
  source: string;
  check?: Check;
}

const CHECKS: Readonly<Record<NonNullable<TokenShape["needs"]>, Check>> = {
  digit: (value) => /\d/.test(value),
  "digit and capital": (value) => /\d/.test(value) && /[A-Z]/.test(value),
};

/** Length of the shortest run that can contain a shape: `redis://:x@h` (characters). */
export const SHORTEST = 12;

/** `user:password@host`, behind `://`. */
const LOGIN = "://[^\\s:@/\"'<>]{0,128}:[^\\s@/\"'<>]{1,256}@[\\w.[\\]-]{1,253}";

const rows = (category: string, list: readonly (readonly [string, SensitiveSeverity, string])[]): Shape[] =>
  list.map(([type, severity, source]) => ({ type, category, severity, source }));

/**
 * Values that are recognisable anywhere, in one run of at least `SHORTEST` characters; the first matching shape applies
 * (reference 8.3).
 */
export const SHAPES: readonly Shape[] = [
  ...TOKEN_SHAPES.map(({ type, category, severity, source, needs }) => ({
    type,
    category,
    severity,
    source,
    ...(needs && { check: CHECKS[needs] }),
  })),
  ...rows("database_credential", [
    ["mysql_connection", "critical", `(?:mysql|mariadb)(?:\\+\\w{1,16})?${LOGIN}`],
    ["postgres_connection", "critical", `postgres(?:ql)?(?:\\+\\w{1,16})?${LOGIN}`],
    ["mongodb_connection", "critical", `mongodb(?:\\+srv)?${LOGIN}`],
    ["redis_connection", "high", `redis(?:s|-sentinel)?${LOGIN}`],
    ["amqp_connection", "high", `amqps?${LOGIN}`],
    ["other_connection", "high", `(?:snowflake|clickhouse|cockroachdb|sqlserver|mssql|oracle|neo4j|cassandra)${LOGIN}`],
  ]),
];

/** Recognisable values that can contain spaces or quotes. */
export const WIDE_SHAPES: readonly Shape[] = [
  ...rows("cloud_credentials", [
    ["gcp_service_account", "critical", '"type\\\\{0,3}"\\s{0,4}:\\s{0,4}\\\\{0,3}"service_account\\\\{0,3}"'],
  ]),
  ...rows("database_credential", [
    ["mssql_connection", "critical", "(?:Server|Data Source)=[^\"'\\n]{1,200}?;\\s?(?:Password|Pwd)=[^;\"'\\n]{1,128}"],
  ]),
];
