import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import { dirname, join } from "node:path";
import type { App } from "../../core/app.ts";
import { reasonOf } from "../../core/base/fault.ts";
import { readBoundedFile, systemErrorCode } from "../../core/base/file.ts";
import { makeFolder } from "../../core/base/folder.ts";
import { certsFolder } from "../../core/config/paths.ts";
import { Fault } from "./faults.ts";

/** The folder of the certificates of this instance. */
export function certsDir({ boot, config }: Pick<App, "boot" | "config">): string {
  return certsFolder(boot.dataDir, config.current().tls.certs_dir, boot.machine.env);
}

/** The files in the folder of certificates. All are PEM, and keys are readable only by their owner. */
export interface CertFiles {
  /** The authority that clients trust, and that signs client certificates. */
  ca: string;
  caKey: string;
  /** The listener's certificate, followed by its intermediate certificates. */
  server: string;
  serverKey: string;
}

/** Paths of the files of the local certificate authority and of the certificate that it issued. */
export const certFiles = (dir: string): CertFiles => ({
  ca: join(dir, "ca.pem"),
  caKey: join(dir, "ca-key.pem"),
  server: join(dir, "server.pem"),
  serverKey: join(dir, "server-key.pem"),
});

/** Paths of the certificate and key of one client. */
export const clientFiles = (dir: string, name: string) => ({
  cert: join(dir, "clients", `${name}.pem`),
  key: join(dir, "clients", `${name}-key.pem`),
});

/** Name of the client certificate that this machine's command line uses. */
export const OWN_CLIENT = "cli";

/** Largest file that is read; a long chain is smaller (bytes). */
const MAX_BYTES = 1024 * 1024;

/** Reads a file; undefined if it does not exist. @throws Fault tls_unusable when it cannot be read */
export async function readPem(path: string): Promise<string | undefined> {
  try {
    return (await readBoundedFile(path, MAX_BYTES)).bytes.toString("utf8");
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return undefined;
    throw new Fault("tls_unusable", { reason: `${path} cannot be read: ${reasonOf(error)}` }, { cause: error });
  }
}

/** Converts an error of a write to a Fault. @throws Fault tls_unusable */
export async function written<T>(path: string, write: () => Promise<T>): Promise<T> {
  try {
    makeFolder(dirname(path));
    return await write();
  } catch (error) {
    throw new Fault("tls_unusable", { reason: `${path} cannot be written: ${reasonOf(error)}` }, { cause: error });
  }
}

/** Parses the first certificate of a file. @throws Fault tls_unusable */
export function certificate(text: string, path: string): X509Certificate {
  try {
    return new X509Certificate(text);
  } catch (error) {
    throw new Fault("tls_unusable", { reason: `${path} contains no PEM certificate` }, { cause: error });
  }
}

/** @throws Fault tls_unusable */
export function privateKey(text: string, path: string): KeyObject {
  try {
    return createPrivateKey(text);
  } catch (error) {
    const locked = text.includes("ENCRYPTED");
    const reason = locked ? "has a passphrase; store it without one" : "contains no PEM private key";
    throw new Fault("tls_unusable", { reason: `${path} ${reason}` }, { cause: error });
  }
}

/** Whether a certificate is valid for a host name, a `*.domain` or an address. */
export function certificateCovers(cert: X509Certificate, name: string): boolean {
  if (isIP(name)) return cert.checkIP(name) !== undefined;
  return cert.checkHost(name.replace(/^\*/, "any")) !== undefined;
}

/** When a certificate expires (ms). */
export const certificateEnd = (cert: X509Certificate) => Date.parse(cert.validTo);
