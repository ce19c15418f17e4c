import { readFile } from "node:fs/promises";
import { defaultAuthorities } from "../core/base/egress/authorities.ts";
import { Fault } from "../core/base/fault.ts";
import { systemErrorCode } from "../core/base/file.ts";
import { readProblem } from "../core/base/read-problem.ts";

/** Files with the authorities that a client trusts over https, and with its own certificate. */
export interface Trust {
  /** An authority that is trusted in addition to the default ones. */
  ca: TrustFile;
  cert: TrustFile;
  key: TrustFile;
}

interface TrustFile {
  path: string;
  /** The setting that names the file, which must then exist. */
  named?: string | undefined;
}

/** Options for Node's https; empty if no file exists, so that its default authorities apply. */
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
    const reason = `${named === undefined ? "" : `${named}: `}${readProblem(path, error)}`;
    throw new Fault("invalid_args", { reason }, { cause: error });
  }
}
