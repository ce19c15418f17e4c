import { readdir, readFile, stat } from "node:fs/promises";
import { delimiter, join } from "node:path";
import type { SecureContext } from "node:tls";
import { systemErrorCode } from "../file.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the authorities that Node trusts. Older versions of Node omit those of NODE_EXTRA_CA_CERTS here. */
export async function defaultAuthorities(env: Environment = process.env): Promise<readonly string[]> {
  // Loaded here, because a start without named authorities does not need it.
  const tls = await import("node:tls");
  const { getCACertificates } = tls as { getCACertificates?: (of: "default") => string[] };
  if (getCACertificates) return getCACertificates("default");
  const more = env.NODE_EXTRA_CA_CERTS;
  const text = more ? await readFile(more, "utf8").catch(() => undefined) : undefined;
  return text === undefined ? tls.rootCertificates : [...tls.rootCertificates, text];
}

/** An environment variable whose file of authorities cannot be read, and the reason. */
interface UnreadableAuthorities {
  readonly variable: string;
  readonly path: string;
  readonly reason: string;
}

/** The authorities of `SSL_CERT_FILE` and `SSL_CERT_DIR`, which Node ignores. */
interface NamedAuthorities {
  /** PEM texts. */
  readonly texts: readonly string[];
  readonly unreadable: readonly UnreadableAuthorities[];
}

const MAX_FILE_BYTES = 16 * 1024 * 1024;
const MAX_FILES = 1000;

/** Reads the authorities that the environment names, and says which of them cannot be read. */
export async function namedAuthorities(env: Environment): Promise<NamedAuthorities> {
  const texts: string[] = [];
  const unreadable: UnreadableAuthorities[] = [];
  const attempt = async (variable: string, path: string, act: () => Promise<unknown>) => {
    try {
      await act();
    } catch (error) {
      unreadable.push({ variable, path, reason: systemErrorCode(error) ?? (error as Error).message });
    }
  };
  const { SSL_CERT_FILE: file, SSL_CERT_DIR: folders = "" } = env;
  if (file) await attempt("SSL_CERT_FILE", file, async () => texts.push(await pemOf(file)));
  for (const folder of folders.split(delimiter).filter(Boolean))
    await attempt("SSL_CERT_DIR", folder, async () => {
      for (const name of (await readdir(folder)).sort().slice(0, MAX_FILES))
        texts.push(
          ...(await pemOf(join(folder, name)).then(
            (text) => [text],
            () => [],
          )),
        );
    });
  return { texts: [...new Set(texts)], unreadable };
}

async function pemOf(path: string): Promise<string> {
  const { size } = await stat(path);
  if (size > MAX_FILE_BYTES) throw new Error(`larger than ${MAX_FILE_BYTES} bytes`);
  const text = await readFile(path, "utf8");
  if (!text.includes("-----BEGIN ")) throw new Error("contains no PEM certificate");
  return text;
}

const contexts = new Map<string, Promise<SecureContext | undefined>>();

/**
 * Returns the TLS context of outgoing connections, with Node's authorities and those of the environment; undefined (for
 * Node's default) if the environment sets none. The context is cached per setting because building it takes
 * milliseconds, so a changed file takes effect after a restart.
 */
export function outgoingTrust(env: Environment): Promise<SecureContext | undefined> {
  const key = `${env.SSL_CERT_FILE ?? ""}\n${env.SSL_CERT_DIR ?? ""}`;
  let made = contexts.get(key);
  if (!made) {
    made = makeContext(env);
    contexts.set(key, made);
  }
  return made;
}

async function makeContext(env: Environment): Promise<SecureContext | undefined> {
  const { texts } = await namedAuthorities(env);
  if (texts.length === 0) return undefined;
  const { createSecureContext } = await import("node:tls");
  return createSecureContext({ ca: [...(await defaultAuthorities(env)), ...texts] });
}
