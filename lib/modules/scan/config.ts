import * as v from "valibot";
import { defineConfig, hot } from "../../core/config/config-keys.ts";
import { duration, oneOfWords, stringMap, strings } from "../../core/config/fields.ts";

const about = v.description;

const ExternalScanner = v.looseObject({
  id: v.pipe(
    v.string(),
    v.regex(/^[a-z0-9][a-z0-9-]{0,62}$/, "must be 1 to 63 of a-z, 0-9 and -, and begin with a letter or digit"),
    about("unique identifier, used in reports"),
  ),
  name: v.optional(v.pipe(v.string(), about("display name"))),
  image: v.pipe(v.string(), v.minLength(1, "a scanner needs an image"), about("container image")),
  args: v.optional(v.pipe(strings(), about("arguments of the scanner")), []),
  env: v.optional(v.pipe(stringMap(), about("environment variables; values may be secret references")), {}),
  network: v.optional(v.pipe(v.boolean(), about("allow network access")), false),
  timeout: v.optional(
    v.pipe(
      duration(1000, 3_600_000, "1s to 1h"),
      about("timeout of this scanner; absent: `security.scan_timeout_default`"),
    ),
  ),
});

/** A change of a configured scanner; absent members keep their values. A masked value keeps the stored one. */
export const ScannerChange = v.object({
  env: v.optional(
    v.pipe(
      v.record(v.string(), v.nullable(v.string())),
      about("environment of its container, preferably secret references; null removes a variable"),
    ),
  ),
  docker_image: v.optional(v.pipe(v.string(), v.minLength(1))),
  network: v.optional(ExternalScanner.entries.network.wrapped),
  timeout: ExternalScanner.entries.timeout,
});

const Security = v.looseObject({
  scan_timeout_default: v.optional(v.pipe(duration(1000, 3_600_000, "1s to 1h"), about("timeout of a scanner")), "2m"),
  integrity_check_interval: v.optional(
    v.pipe(
      duration(60_000, 2_592_000_000, "0 (never) or 1m to 30d"),
      about("interval between integrity checks, which compare each server with its approved state; 0: no checks"),
    ),
    "6h",
  ),
  integrity_check_on_restart: v.optional(v.pipe(v.boolean(), about("also check a server each time it connects")), true),
  integrity_action: v.optional(
    v.pipe(
      oneOfWords(["report", "quarantine"]),
      about("reaction to a server that changed without a change of its configuration"),
    ),
    "report",
  ),
  disabled_scanners: v.optional(v.pipe(strings(), about("identifiers of scanners that are disabled")), []),
  scanners: v.optional(
    v.pipe(
      v.array(ExternalScanner),
      about("additional scanners, run as containers that read tools and sources and write SARIF (docs/scanning.md)"),
    ),
    [],
  ),
});

/** Configuration of security scans. */
export const config = defineConfig(
  {
    security: [v.optional(Security, {}), hot, "security scans and integrity checks of servers"],
  },
  { after: "allow_private_registry_fetch" },
);
