/** Named secrets and the resolution of `${env:X}` and `${keyring:X}` (spec 000 §2.9 rule 2). */
export interface Secrets {
  /** Replaces every reference in a text with its value, at the moment of use. @throws Fault secret_missing */
  resolve(text: string): Promise<string>;
  get(name: string): Promise<string | undefined>;
  set(name: string, value: string): Promise<void>;
  delete(name: string): Promise<boolean>;
  list(): Promise<string[]>;
  /** `keyring`, or `file` when the operating system's keyring cannot be used, with the reason. */
  backend(): { kind: "keyring" | "file"; reason?: string };
}
