/** Named secrets and the resolution of `${env:X}` and `${keyring:X}` (spec 000 §2.9 rule 2). */
export interface Secrets {
  /** Replaces every reference in a text with its value, at the moment of use. @throws Fault secret_missing */
  resolve(text: string): Promise<string>;
  get(name: string): Promise<string | undefined>;
  set(name: string, value: string): Promise<void>;
  delete(name: string): Promise<boolean>;
  list(): Promise<string[]>;
  /** The stored secrets with their metadata, sorted by name. */
  entries(): Promise<SecretEntry[]>;
  /** The backend after the keyring was probed, so that the proxy never reports a keyring that does not exist. */
  confirmedBackend(): Promise<ReturnType<Secrets["backend"]>>;
  /** `keyring`, or `file` when the operating system's keyring cannot be used, with the reason. */
  backend(): { kind: "keyring" | "file"; reason?: string };
}

/** The metadata of a stored secret; never its value. */
export interface SecretEntry {
  name: string;
  backend: "keyring" | "file";
  /** When the secret was last set (ms); absent when another program set it. */
  updatedAt?: number;
}
