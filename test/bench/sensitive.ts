import { compileRules } from "#lib/modules/detect/rules.ts";
import { scanNow } from "#test/kit/scan-now.ts";

const MB = 1 << 20;
const RULES = compileRules({ categories: {}, entropy_threshold: 4.5, custom_patterns: [], sensitive_keywords: [] });

/** What tools answer, and what somebody would answer to make us slow. */
const TEXTS: Readonly<Record<string, () => unknown>> = {
  prose: () =>
    "The list below names every order of the last week, with its state and when it was shipped. ".repeat(11_500),
  records: () =>
    Array.from({ length: 9000 }, (_, id) => ({
      id,
      name: `user ${id}`,
      url: `https://example.org/users/${id}?page=2`,
      updated_at: "2026-01-31T09:30:00Z",
    })),
  base64: () => "iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB".repeat(32_768),
  "token beginnings": () => "eyJaaaaaaaa-".repeat(87_000),
  "address beginnings": () => "postgres://a:".repeat(80_000),
  "connection beginnings": () => "Server=a;".repeat(116_000),
  digits: () => "1-".repeat(MB / 2),
  backslashes: () => "\\".repeat(MB / 2),
};

/** Time to look through about a megabyte of JSON, and how often it would have been parsed in that time. */
export async function benchSensitive() {
  const rows = Object.entries(TEXTS).map(([name, make]) => {
    const json = JSON.stringify(make());
    const scan = median(() => scanNow(json, RULES, "response", 8 * MB));
    const parse = median(() => JSON.parse(json));
    return [name, { bytes: json.length, ms: round(scan), parse_ms: round(parse), ratio: round(scan / parse) }];
  });
  return Object.fromEntries(rows);
}

function median(run: () => unknown): number {
  run();
  const times = Array.from({ length: 5 }, () => {
    const start = performance.now();
    run();
    return performance.now() - start;
  });
  return times.sort((a, b) => a - b)[2]!;
}

const round = (n: number) => Math.round(n * 10) / 10;
