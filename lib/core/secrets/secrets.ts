/** Named secrets and the resolution of `${env:X}` and `${keyring:X}` (spec 000 §2.9 rule 2). */
export interface Secrets {
  /** Replaces every reference in a text with its value, at the moment of use. @throws Fault secret_missing */
  resolve(text: string): Promise<string>;
  get(name: string): Promise<string | undefined>;
  set(name: string, value: string): Promise<void>;
  delete(name: string): Promise<boolean>;
  list(): Promise<string[]>;
  /** The same with what is known of each, sorted by name. */
  entries(): Promise<SecretEntry[]>;
  /** The same once the keyring was asked for, so that it is never claimed to be in use where there is none. */
  confirmedBackend(): Promise<ReturnType<Secrets["backend"]>>;
  /** `keyring`, or `file` when the operating system's keyring cannot be used, with the reason. */
  backend(): { kind: "keyring" | "file"; reason?: string };
}

/** What is known of a stored secret; never its value. */
export interface SecretEntry {
  name: string;
  backend: "keyring" | "file";
  /** When it was set last (ms); absent when it was set by something else. */
  updatedAt?: number;
}
