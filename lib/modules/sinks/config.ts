import * as v from "valibot";
import { parseHost } from "../../core/base/host-port.ts";
import { defineConfig, hot } from "../../core/config/config-keys.ts";
import { distinctNames, integer, isCarriableText, oneOfWords, stringMap } from "../../core/config/fields.ts";
import { FACILITIES } from "./syslog-message.ts";

const about = v.description;

const RecordKinds = v.pipe(
  v.array(oneOfWords(["activity", "audit"])),
  v.minLength(1, "name at least one kind of record"),
  v.metadata({ form: "list of `activity`, `audit`" }),
);

/** One receiver of records. */
const Sink = v.pipe(
  v.looseObject({
    name: v.pipe(
      v.string(),
      v.regex(/^[a-z0-9][a-z0-9_-]{0,62}$/, "must be 1 to 63 of a-z, 0-9, - and _, and begin with a letter or digit"),
      about("unique name"),
    ),
    type: v.pipe(oneOfWords(["file", "stdout", "syslog", "otlp", "webhook"]), about("kind of receiver")),
    enabled: v.optional(
      v.pipe(v.boolean(), about("deliver records; a disabled sink continues where it stopped")),
      true,
    ),
    records: v.optional(v.pipe(RecordKinds, about("which records it receives")), ["activity"]),
    bodies: v.optional(
      v.pipe(v.boolean(), about("include arguments and responses in activity records, masked as they are stored")),
      false,
    ),
    batch_size: v.optional(v.pipe(integer(1, 1000), about("maximum number of records in one delivery")), 100),
    path: v.optional(
      v.pipe(v.string(), about("`file`: path of the file; absent: `sinks/NAME.jsonl` in the data directory")),
    ),
    max_size_mb: v.optional(v.pipe(integer(1, 100_000), about("`file`: size at which the file is rotated (MB)")), 50),
    max_backups: v.optional(v.pipe(integer(0, 1000), about("`file`: maximum number of rotated files")), 10),
    address: v.optional(
      v.pipe(
        v.string(),
        v.check((text) => parseHost(text)?.port !== undefined, 'must be "host:port"'),
        about("`syslog`: host and port of the receiver; one in a private network must be in `outbound_allow`"),
      ),
    ),
    transport: v.optional(v.pipe(oneOfWords(["udp", "tcp", "tls"]), about("`syslog`: transport")), "tcp"),
    ca_file: v.optional(
      v.pipe(
        v.string(),
        about("`syslog` over TLS: PEM file of the authorities that are trusted; absent: the usual ones"),
      ),
    ),
    facility: v.optional(v.pipe(oneOfWords(FACILITIES), about("`syslog`: facility")), "local0"),
    url: v.optional(
      v.pipe(
        v.string(),
        v.check((text) => text.includes("${") || /^https?:\/\/[^/]/i.test(text), "must be an http or https URL"),
        about(
          "`otlp`, `webhook`: URL to which records are sent; `http://` only for hosts in `outbound_allow`; may be a reference such as `${keyring:hook}`",
        ),
      ),
    ),
    headers: v.optional(
      v.pipe(
        stringMap(),
        v.check((map) => Object.entries(map).flat().every(isCarriableText), "must not contain line breaks or NUL"),
        about("`otlp`, `webhook`: additional headers; values may be references"),
      ),
      {},
    ),
    secret: v.optional(
      v.pipe(
        v.string(),
        about("`webhook`: key of the signatures, such as `${keyring:hook}`; `whsec_…` is decoded from base64"),
      ),
    ),
  }),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const sink = dataset.value;
    for (const key of REQUIRED[sink.type])
      if (!sink[key])
        addIssue({
          message: `a sink of type ${sink.type} needs ${key}`,
          path: [{ type: "object", origin: "value", input: sink, key, value: sink[key] }],
        });
  }),
);

const REQUIRED = {
  file: [],
  stdout: [],
  syslog: ["address"],
  otlp: ["url"],
  webhook: ["url", "secret"],
} as const;

export type SinkConfig = v.InferOutput<typeof Sink>;

/** Receivers of activity and audit records. */
export const config = defineConfig(
  {
    sinks: [
      v.optional(v.pipe(v.array(Sink), v.maxLength(16, "at most 16 sinks"), distinctNames("sinks")), []),
      hot,
      "receivers of activity and audit records (docs/logs.md)",
    ],
  },
  { after: "logging" },
);
