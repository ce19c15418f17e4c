import { readFile } from "node:fs/promises";
import * as tls from "node:tls";
import { Fault, reasonOf } from "../base/fault.ts";
import { codeOf } from "../base/file.ts";

/** Files that decide whom a caller by https believes, and who it is itself. */
export interface Trust {
  /** Authority that is believed beside those that are believed anyway. */
  ca: TrustFile;
  cert: TrustFile;
  key: TrustFile;
}

export interface TrustFile {
  path: string;
  /** Somebody named it, so it must be there. */
  named?: string | undefined;
}

/** For Node's https: nothing where no file is there, so that what it believes by itself counts. */
export async function tlsOptions({ ca, cert, key }: Trust): Promise<{ ca?: string[]; cert?: string; key?: string }> {
  const [authority, ownCert, ownKey] = await Promise.all([ca, cert, key].map(textOf));
  return {
    ...(authority !== undefined && { ca: [...(await usual()), authority] }),
    ...(ownCert !== undefined && ownKey !== undefined && { cert: ownCert, key: ownKey }),
  };
}

async function textOf({ path, named }: TrustFile): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (named === undefined && codeOf(error) === "ENOENT") return undefined;
    const reason = `${named ?? path}: ${path} cannot be read: ${reasonOf(error)}`;
    throw new Fault("invalid_args", { reason }, { cause: error });
  }
}

/** Whom Node believes; older ones do not say what NODE_EXTRA_CA_CERTS added. */
async function usual(): Promise<readonly string[]> {
  const { getCACertificates } = tls as { getCACertificates?: (of: "default") => string[] };
  if (getCACertificates) return getCACertificates("default");
  const more = process.env.NODE_EXTRA_CA_CERTS;
  const text = more ? await readFile(more, "utf8").catch(() => undefined) : undefined;
  return text === undefined ? tls.rootCertificates : [...tls.rootCertificates, text];
}
