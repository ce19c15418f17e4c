import { stat } from "node:fs/promises";
import type { App } from "../../core/app.ts";
import { isLoopback, parseHost } from "../../core/base/host-port.ts";
import { shellWord } from "../../core/base/shell-word.ts";
import type { DoctorCheck } from "../../core/extension/doctor-checks.ts";
import type { DoctorFinding } from "../../core/schema/doctor-shapes.ts";
import { setKeyRemedy } from "../../core/verbs/settings/set-key-remedy.ts";
import { certFiles, certificate, certificateCovers, certificateEnd, certsDir, readPem } from "./files.ts";
import { certificateNames } from "./names.ts";
import { isOurs, RENEW_MS } from "./pair.ts";

/** The checks that this module adds to `proxy doctor`. */
export const tlsChecks: readonly DoctorCheck[] = [{ name: "tls", area: "listeners", run: tlsFindings }];

/** Time before expiry at which a certificate is reported; the proxy replaces its own earlier (ms). */
const EXPIRY_WARNING_MS = 14 * 86_400_000;

/** Checks that clients use TLS and that the certificate remains valid. */
async function tlsFindings(app: App): Promise<DoctorFinding[]> {
  const { tls: tlsSettings } = app.config.current();
  if (!tlsSettings.enabled) return unencrypted(app);
  const files = certFiles(certsDir(app));
  const keys = await Promise.all([files.caKey, files.serverKey].map(readableByOthers));
  return [...(await certificates(app, files)), ...keys.flat()];
}

/** Reports a listener that is reachable from other machines without TLS, and without a proxy in front of it. */
function unencrypted(app: App): DoctorFinding[] {
  const { trusted_proxies, server_edition } = app.config.current();
  const { listenAddr } = app.boot;
  const host = parseHost(listenAddr)?.host;
  const fronted = trusted_proxies.length > 0 || server_edition?.public_url?.startsWith("https:");
  if (host === undefined || isLoopback(host) || fronted) return [];
  return [
    {
      code: "plain_listener",
      severity: "warning",
      title: `Connections to ${listenAddr} are unencrypted`,
      detail:
        "Keys, arguments and results cross the network unencrypted. If a reverse proxy terminates TLS, add it to trusted_proxies.",
      remedy: setKeyRemedy(app, "tls", { enabled: true }, "Serve HTTPS from the next start on"),
    },
  ];
}

async function certificates(app: App, files: ReturnType<typeof certFiles>): Promise<DoctorFinding[]> {
  const [text, ca] = await Promise.all([files.server, files.ca].map(readPem));
  const found: DoctorFinding[] = [];
  if (text !== undefined) {
    const parsed = certificate(text, files.server);
    const isOwn = isOurs(parsed);
    const names = certificateNames(app.config.current()).filter((name) => !certificateCovers(parsed, name));
    found.push(
      ...ending("certificate", {
        file: files.server,
        left: certificateEnd(parsed) - app.clock.now(),
        end: parsed.validTo,
        own: isOwn,
      }),
    );
    if (names.length > 0)
      found.push({
        code: "certificate_names",
        severity: "warning",
        title: `The certificate does not cover ${names.join(", ")}`,
        detail: `Clients that use ${names.length === 1 ? "this name" : "these names"} reject ${files.server}.`,
        remedy: { action: isOwn ? NEXT_START : `Put a certificate for all names in ${files.server}` },
      });
  }
  if (ca !== undefined) {
    const authority = certificate(ca, files.ca);
    const left = certificateEnd(authority) - app.clock.now();
    found.push(...ending("authority", { file: files.ca, left, end: authority.validTo, own: isOurs(authority) }));
  }
  return found;
}

const NEXT_START = "Restart the proxy; the log shows why it could not be renewed";

function ending(
  what: "certificate" | "authority",
  { file, left, end, own }: { file: string; left: number; end: string; own: boolean },
): DoctorFinding[] {
  if (left > (own ? RENEW_MS - EXPIRY_WARNING_MS : EXPIRY_WARNING_MS)) return [];
  const over = left <= 0;
  return [
    {
      code: over ? "certificate_ended" : "certificate_ends_soon",
      severity: over ? "error" : "warning",
      title: `The ${what} ${file} ${over ? "expired" : "expires"} on ${end}`,
      detail: "Clients reject the listener from then on.",
      remedy: { action: own ? NEXT_START : `Put a new one in ${file}; the proxy uses it within an hour` },
    },
  ];
}

async function readableByOthers(path: string): Promise<DoctorFinding[]> {
  if (process.platform === "win32") return [];
  const found = await stat(path).catch(() => undefined);
  if (!found || (found.mode & 0o077) === 0) return [];
  return [
    {
      code: "key_readable",
      severity: "error",
      title: `Other users of this machine can read the key ${path}`,
      detail: "With this key, another program can impersonate this proxy.",
      remedy: { action: "Restrict access", command: `chmod 600 ${shellWord(path)}` },
    },
  ];
}
