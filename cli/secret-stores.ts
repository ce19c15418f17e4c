/** The names of the secret stores in tables and messages. */
export const STORES = { keyring: "system keyring", file: "encrypted file" } as const;
