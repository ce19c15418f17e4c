import type { SealingKeys } from "./sealing-keys.ts";

/** Stores named secrets and resolves `${env:X}` and `${keyring:X}` (spec 000 §2.9 rule 2). */
export interface Secrets {
  /** Replaces every reference in a text by its current value. @throws Fault secret_missing */
  resolve(text: string): Promise<string>;
  get(name: string): Promise<string | undefined>;
  set(name: string, value: string): Promise<void>;
  delete(name: string): Promise<boolean>;
  list(): Promise<string[]>;
  /** Returns the metadata of the stored secrets, sorted by name. */
  entries(): Promise<SecretEntry[]>;
  /**
   * Returns the backend after trying to open the keyring, so that the proxy never reports a keyring that does not
   * exist.
   */
  confirmedBackend(): Promise<ReturnType<Secrets["backend"]>>;
  /** `keyring`, or `file` if the operating system's keyring cannot be used, with the reason. */
  backend(): { kind: "keyring" | "file"; reason?: string };
  /** Seal what the store keeps encrypted: credentials, responses and the keys of states. */
  readonly sealingKeys: SealingKeys;
}

/** The metadata of a stored secret, without its value. */
export interface SecretEntry {
  name: string;
  backend: "keyring" | "file";
  /** When the secret was last set (ms); absent if another program set it. */
  updatedAt?: number;
}
