import * as v from "valibot";
import { parseHost } from "../../core/base/host-port.ts";
import { defineConfig, hot } from "../../core/config/config-keys.ts";
import {
  distinctNames,
  duration,
  formText,
  integer,
  isCarriableText,
  oneOfWords,
  strings,
} from "../../core/config/fields.ts";
import { NOTICE_KINDS, NOTICE_SEVERITIES } from "./notice.ts";
import { isTimeZone, parseQuietHours } from "./quiet-hours.ts";

const about = v.description;
const text = () => v.pipe(v.string(), v.check(isCarriableText, "must not contain line breaks or NUL"));

const Smtp = v.looseObject({
  address: v.pipe(
    v.string(),
    v.check((value) => parseHost(value)?.port !== undefined, 'must be "host:port"'),
    about("host and port of the mail server; one in a private network must be in `outbound_allow`"),
  ),
  security: v.optional(
    v.pipe(
      oneOfWords(["tls", "starttls", "none"]),
      about("`tls`: from the start, usually port 465; `starttls`: required, usually port 587; `none`: no encryption"),
    ),
    "starttls",
  ),
  username: v.optional(v.pipe(text(), about("user name; absent: no authentication"))),
  password: v.optional(v.pipe(text(), about("password, such as `${keyring:smtp}`"))),
  from: v.pipe(text(), about("sender")),
  to: v.pipe(
    strings(),
    v.check((list) => list.length > 0 && list.every(isCarriableText), "name at least one recipient"),
    about("recipients"),
  ),
});

/** One way to notify people. */
const Channel = v.pipe(
  v.looseObject({
    name: v.pipe(
      v.string(),
      v.regex(/^[a-z0-9][a-z0-9_-]{0,62}$/, "must be 1 to 63 of a-z, 0-9, - and _, and begin with a letter or digit"),
      about("unique name"),
    ),
    type: v.pipe(oneOfWords(["webhook", "slack", "teams", "email", "desktop"]), about("kind of channel")),
    enabled: v.optional(v.pipe(v.boolean(), about("notify through this channel")), true),
    kinds: v.optional(
      v.pipe(
        v.array(oneOfWords(NOTICE_KINDS)),
        v.metadata({ form: "list of `approval`, `server`, `limit`, `security`, `expiry`" }),
        about("kinds of notices"),
      ),
      [...NOTICE_KINDS],
    ),
    min_severity: v.optional(v.pipe(oneOfWords(NOTICE_SEVERITIES), about("minimum severity of notices")), "info"),
    digest: v.optional(
      v.pipe(
        duration(60_000, 86_400_000, "0 or 1m to 24h"),
        about("minimum time between two messages; notices in between are sent together; 0: each at once"),
      ),
      "0",
    ),
    quiet_hours: v.optional(
      v.pipe(
        v.string(),
        v.check((value) => parseQuietHours(value) !== undefined, 'must be "HH:MM-HH:MM"'),
        formText("string such as `22:00-07:00`"),
        about("daily time in which only critical notices are sent; the others are sent afterwards"),
      ),
    ),
    time_zone: v.optional(
      v.pipe(
        v.string(),
        v.check(isTimeZone, 'must be a time zone such as "Europe/Berlin"'),
        about("time zone of `quiet_hours`, such as `Europe/Berlin`; absent: that of the computer"),
      ),
    ),
    url: v.optional(
      v.pipe(
        v.string(),
        v.check((value) => value.includes("${") || /^https?:\/\/[^/]/i.test(value), "must be an http or https URL"),
        about(
          "`webhook`, `slack`, `teams`: URL to which notices are sent; preferably a reference such as `${keyring:slack}`, because it is a credential; `http://` only for hosts in `outbound_allow`",
        ),
      ),
    ),
    secret: v.optional(
      v.pipe(
        v.string(),
        about("`webhook`: key of the signatures, such as `${keyring:hook}`; `whsec_…` is decoded from base64"),
      ),
    ),
    smtp: v.optional(v.pipe(Smtp, about("`email`: the mail server and the addresses"))),
  }),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const channel = dataset.value;
    for (const key of REQUIRED[channel.type])
      if (!channel[key])
        addIssue({
          message: `a channel of type ${channel.type} needs ${key}`,
          path: [{ type: "object", origin: "value", input: channel, key, value: channel[key] }],
        });
  }),
);

const REQUIRED = {
  webhook: ["url", "secret"],
  slack: ["url"],
  teams: ["url"],
  email: ["smtp"],
  desktop: [],
} as const;

const Notifications = v.looseObject({
  channels: v.optional(
    v.pipe(
      v.array(Channel),
      v.maxLength(16, "at most 16 channels"),
      distinctNames("notifications.channels"),
      about("ways to notify people (docs/notifications.md)"),
    ),
    [],
  ),
  panel_url: v.optional(
    v.pipe(
      v.string(),
      v.check((value) => /^https?:\/\/[^/]+$/i.test(value), 'must be an origin such as "https://proxy.example.com"'),
      about("origin of the panel in links; absent: `server_edition.public_url`, else the address of the listener"),
    ),
  ),
  failing_after: v.optional(
    v.pipe(duration(10_000, 86_400_000, "10s to 24h"), about("how long a server must fail before people are notified")),
    "5m",
  ),
  token_expiry_days: v.optional(
    v.pipe(integer(0, 365), about("days before an agent token expires at which people are notified; 0: never")),
    7,
  ),
});

export type ChannelConfig = v.InferOutput<typeof Channel>;

/** How people are notified. */
export const config = defineConfig(
  {
    notifications: [
      v.optional(Notifications, {}),
      hot,
      "notifications by webhook, Slack, Teams, e-mail and on the desktop (docs/notifications.md)",
    ],
  },
  { after: "logging" },
);
