/** Labels of the secret stores. */
export const PLACES = {
  keyring: "the system keyring",
  file: "an encrypted file in the data directory",
} as const;
