import type { X509Certificate } from "node:crypto";
import { hostname } from "node:os";
import { reasonOf } from "../../core/base/fault.ts";
import { createFileDurably, writeFileDurably } from "../../core/base/file.ts";
import type { Logger } from "../../core/log/logger.ts";
import { Fault } from "./faults.ts";
import {
  type CertFiles,
  certFiles,
  certificate,
  certificateCovers,
  certificateEnd,
  clientFiles,
  privateKey,
  readPem,
  written,
} from "./files.ts";
import type { Authority } from "./issue.ts";

/** The TLS files of a listener, all PEM. */
export interface ServerPair {
  key: string;
  cert: string;
  /** The authority of client certificates; absent if none are requested. */
  ca?: string;
}

interface PairOptions {
  dir: string;
  /** The names that the certificate must contain (`names.ts`). */
  names: readonly string[];
  /** Whether client certificates are requested, which always requires an authority. */
  clients: boolean;
  now: number;
  log: Pick<Logger, "info" | "warn">;
}

/** Time before expiry at which the proxy renews its own certificates (ms). */
export const RENEW_MS = 30 * 86_400_000;

/**
 * Returns the listener's certificate and key: those in the folder, or new ones signed by the local authority, which is
 * created if missing. The proxy's own certificates are renewed before they expire, or if a name is missing; foreign
 * ones are used unchanged.
 *
 * @throws Fault tls_unusable with the file and the remedy
 */
export async function serverPair(options: PairOptions): Promise<ServerPair> {
  const { dir, clients } = options;
  const files = certFiles(dir);
  const [cert, key, ca] = await Promise.all([files.server, files.serverKey, files.ca].map(readPem));
  if (cert !== undefined && key === undefined)
    throw unusable(`${files.server} exists without its key; put the key in ${files.serverKey}`);
  if (cert !== undefined && key !== undefined && fits(options, files, { cert, key, ca }))
    return { cert, key, ...(clients && { ca: (await authority(options, files, [])).cert }) };
  const { made, by } = await newServer(options, files, key);
  return { ...made, ...(clients && { ca: by.cert }) };
}

/** Creates or replaces a client's certificate. @throws Fault tls_unusable */
export async function newClient({
  dir,
  name,
  days,
  now,
  log,
}: { dir: string; name: string; days: number } & Pick<PairOptions, "now" | "log">): Promise<{
  cert: string;
  key: string;
  expiresAt: number;
}> {
  const files = certFiles(dir);
  const by = await authority({ now, log }, files, []);
  const at = clientFiles(dir, name);
  const issue = await import("./issue.ts");
  const key = await issue.newKey();
  const cert = await signed(files, () => issue.issueClient(by, { key, name, days }, now));
  await written(at.key, () => writeFileDurably(at.key, key));
  await written(at.cert, () => writeFileDurably(at.cert, cert));
  return { ...at, expiresAt: certificateEnd(certificate(cert, at.cert)) };
}

/** Whether the existing certificate is kept. @throws Fault tls_unusable if it is foreign and cannot be used */
function fits(
  { names, now, log }: PairOptions,
  files: CertFiles,
  { cert, key, ca }: { cert: string; key: string; ca: string | undefined },
): boolean {
  const shown = certificate(cert, files.server);
  const match = shown.checkPrivateKey(privateKey(key, files.serverKey));
  const uncovered = names.filter((name) => !certificateCovers(shown, name));
  if (isOurs(shown)) {
    const stands = ca !== undefined && signedBy(shown, certificate(ca, files.ca));
    return stands && match && uncovered.length === 0 && certificateEnd(shown) - now > RENEW_MS;
  }
  if (!match) throw unusable(`${files.serverKey} is not the key of ${files.server}; use a matching pair`);
  if (certificateEnd(shown) <= now)
    log.warn(`the certificate ${files.server} expired on ${shown.validTo}; clients reject it`);
  return true;
}

/** Start of the issuer name that only this program uses. */
const OWN = "CN=proxy local authority (";
const isOwn = (authority: X509Certificate) => authority.subject.startsWith(OWN);

/** Whether this program issued a certificate, even with an authority that no longer exists. */
export const isOurs = (cert: X509Certificate) => cert.issuer.startsWith(OWN);

/** Whether that authority signed it; a renewed authority has the same name and key. */
export const signedBy = (cert: X509Certificate, authority: X509Certificate) =>
  cert.issuer === authority.subject && cert.verify(authority.publicKey);

async function newServer(options: PairOptions, files: CertFiles, keyThere: string | undefined) {
  const { names, now, log } = options;
  const by = await authority(options, files, names);
  const issue = await import("./issue.ts");
  const key = keyThere ?? (await keptKey(files.serverKey, await issue.newKey()));
  privateKey(key, files.serverKey);
  const cert = await signed(files, () => issue.issueServer(by, { key, names }, now));
  await written(files.server, () => writeFileDurably(files.server, cert, 0o644));
  log.info(`created a certificate for ${names.join(", ")}`, { file: files.server });
  return { made: { key, cert }, by };
}

/**
 * Returns the local authority, created or renewed if needed. A renewal keeps its key, so client certificates remain
 * valid.
 */
async function authority(
  { now, log }: Pick<PairOptions, "now" | "log">,
  files: CertFiles,
  names: readonly string[],
): Promise<Authority> {
  const [cert, keyThere] = await Promise.all([files.ca, files.caKey].map(readPem));
  const there = cert === undefined ? undefined : certificate(cert, files.ca);
  if (there && keyThere === undefined) {
    // Only its certificate is needed.
    if (names.length === 0) return { cert: cert!, key: "" };
    throw unusable(
      `${files.ca} exists without its key, so it cannot sign certificates; put your own ${files.server} and ${files.serverKey} beside it, or remove it`,
    );
  }
  const issue = await import("./issue.ts");
  const key = keyThere ?? (await keptKey(files.caKey, await issue.newKey()));
  const match = there?.checkPrivateKey(privateKey(key, files.caKey)) ?? false;
  if (there && !isOwn(there))
    return somebodys({ cert: cert!, key, match, permitted: issue.maySignFor(cert!, names) }, files);
  if (there && match && certificateEnd(there) - now > 2 * RENEW_MS && issue.maySignFor(cert!, names))
    return { cert: cert!, key };
  const made = await signed(files, () => issue.issueAuthority({ key, names, label: hostname() }, now));
  await written(files.ca, () => writeFileDurably(files.ca, made, 0o644));
  const before = there ? "renewed the local authority, for more names or a later expiry" : "created a local authority";
  log.warn(`${before}; programs trust it after: proxy trust-cert`, { file: files.ca });
  return { cert: made, key };
}

/** An authority that the operator supplied, used unchanged. */
function somebodys(
  { cert, key, match, permitted }: Authority & { match: boolean; permitted: boolean },
  files: CertFiles,
): Authority {
  if (!match) throw unusable(`${files.caKey} is not the key of ${files.ca}`);
  if (!permitted)
    throw unusable(`${files.ca} may not sign for every name of this proxy; put your own ${files.server} beside it`);
  return { cert, key };
}

/** Stores a new key, unless another process stored one at the same time. */
async function keptKey(path: string, fresh: string): Promise<string> {
  if (await written(path, () => createFileDurably(path, fresh))) return fresh;
  return (await readPem(path)) ?? fresh;
}

async function signed(files: CertFiles, sign: () => Promise<string>): Promise<string> {
  try {
    return await sign();
  } catch (error) {
    throw new Fault("tls_unusable", { reason: `${files.caKey}: ${reasonOf(error)}` }, { cause: error });
  }
}

const unusable = (reason: string) => new Fault("tls_unusable", { reason });
