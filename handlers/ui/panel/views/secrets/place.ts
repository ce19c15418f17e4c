/** Where a secret is kept, in words. */
export const PLACES = {
  keyring: "the system keyring",
  file: "an encrypted file in the data directory",
} as const;
