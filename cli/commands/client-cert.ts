import { existsSync } from "node:fs";
import { certsOf } from "#lib/client/find-proxy.ts";
import { systemClock } from "#lib/core/base/clock.ts";
import { certFiles, clientFiles } from "#lib/modules/tls/files.ts";
import { newClient } from "#lib/modules/tls/pair.ts";
import { command } from "../command.ts";
import { UsageError } from "../exit.ts";
import { quoted } from "../self.ts";

const DAYS = 365;
const MAX_DAYS = 825;

export default command({
  meta: {
    group: "clients",
    description: "Create a TLS client certificate",
    detail:
      "For tls.require_client_cert. The proxy's local certificate authority signs the certificate; the authority's key is on the machine of the proxy. The certificate only lets a client connect: " +
      "its API key or token decides what it may do. Works without a running proxy.",
    examples: ["proxy client-cert laptop", "proxy client-cert ci --days 30"],
  },
  args: {
    name: { type: "positional", description: "name of the certificate: letters, digits, dots, dashes or underscores" },
    days: {
      type: "string",
      number: true,
      valueHint: "n",
      description: `validity in days, at most ${MAX_DAYS} (${DAYS})`,
    },
    force: { type: "boolean", description: "replace the certificate of this name; the old one stays valid" },
  },
  async run({ cli, args: { name, days = DAYS, force = false } }) {
    if (!/^[A-Za-z0-9][\w.-]{0,63}$/.test(name))
      throw new UsageError(
        "the name must have 1 to 64 letters, digits, dots, dashes or underscores and start with a letter or digit",
      );
    if (!Number.isInteger(days) || days < 1 || days > MAX_DAYS)
      throw new UsageError(`--days must be a whole number from 1 to ${MAX_DAYS}`);
    const dir = certsOf({ ...cli.globals, env: cli.env });
    const at = clientFiles(dir, name);
    if (!force && (existsSync(at.cert) || existsSync(at.key)))
      throw new UsageError(`${at.cert} already exists; choose another name or replace it with --force`);
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
