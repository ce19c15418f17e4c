import { existsSync } from "node:fs";
import { certsOf } from "#lib/client/find.ts";
import { systemClock } from "#lib/core/base/clock.ts";
import { certFiles, clientFiles } from "#lib/modules/tls/files.ts";
import { newClient } from "#lib/modules/tls/pair.ts";
import { command } from "../command.ts";
import { UsageError } from "../exit.ts";
import { quoted } from "../self.ts";

const DAYS = 365;
const MOST_DAYS = 825;

export default command({
  meta: {
    description: "Make a certificate for a client that the listener asks for one",
    detail:
      "For tls.require_client_cert. Signed by the proxy's local authority, whose key lies on the machine where the proxy runs. It lets a client reach the listener; " +
      "what it may do there its key or token says. No proxy is needed.",
    examples: ["proxy client-cert laptop", "proxy client-cert ci --days 30"],
  },
  args: {
    name: { type: "positional", description: "what it is called: letters, digits, dots, dashes or underscores" },
    days: {
      type: "string",
      number: true,
      valueHint: "n",
      description: `how long it lasts, at most ${MOST_DAYS} (${DAYS})`,
    },
    force: { type: "boolean", description: "replace one of this name; the replaced one stays valid" },
  },
  async run({ cli, args: { name, days = DAYS, force = false } }) {
    if (!/^[A-Za-z0-9][\w.-]{0,63}$/.test(name))
      throw new UsageError(
        "a name has 1 to 64 letters, digits, dots, dashes or underscores, and begins with a letter or digit",
      );
    if (!Number.isInteger(days) || days < 1 || days > MOST_DAYS)
      throw new UsageError(`--days must be a whole number from 1 to ${MOST_DAYS}`);
    const dir = certsOf({ ...cli.globals, env: cli.env });
    const at = clientFiles(dir, name);
    if (!force && (existsSync(at.cert) || existsSync(at.key)))
      throw new UsageError(`${at.cert} is there already; take another name, or replace it with --force`);
    const log = { info: () => undefined, warn: (text: string) => cli.note(text) };
    const made = await newClient({ dir, name, days, now: systemClock.now(), log });
    const { ca } = certFiles(dir);
    const expires_at = new Date(made.expiresAt).toISOString();
    await cli.show({ name, cert: made.cert, key: made.key, ca, expires_at }, () =>
      [
        `certificate  ${made.cert}, until ${expires_at}`,
        `key          ${made.key}`,
        "",
        `curl --cacert ${quoted(ca)} --cert ${quoted(made.cert)} --key ${quoted(made.key)} https://...`,
        `openssl pkcs12 -export -in ${quoted(made.cert)} -inkey ${quoted(made.key)} -out ${quoted(`${name}.p12`)}   # for a browser`,
      ].join("\n"),
    );
  },
});
