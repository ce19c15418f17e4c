import { readFile } from "node:fs/promises";
import { defaultAuthorities } from "../core/base/egress/authorities.ts";
import { Fault, reasonOf } from "../core/base/fault.ts";
import { systemErrorCode } from "../core/base/file.ts";

/** Files that decide whom a caller by https believes, and who it is itself. */
export interface Trust {
  /** Authority that is believed beside those that are believed anyway. */
  ca: TrustFile;
  cert: TrustFile;
  key: TrustFile;
}

interface TrustFile {
  path: string;
  /** Somebody named it, so it must be there. */
  named?: string | undefined;
}

/** For Node's https: nothing where no file is there, so that what it believes by itself counts. */
export async function tlsOptions({ ca, cert, key }: Trust): Promise<{ ca?: string[]; cert?: string; key?: string }> {
  const [authority, ownCert, ownKey] = await Promise.all([ca, cert, key].map(textOf));
  return {
    ...(authority !== undefined && { ca: [...(await defaultAuthorities()), authority] }),
    ...(ownCert !== undefined && ownKey !== undefined && { cert: ownCert, key: ownKey }),
  };
}

async function textOf({ path, named }: TrustFile): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (named === undefined && systemErrorCode(error) === "ENOENT") return undefined;
    const reason = `${named ?? path}: ${path} cannot be read: ${reasonOf(error)}`;
    throw new Fault("invalid_args", { reason }, { cause: error });
  }
}
