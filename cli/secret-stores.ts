/** What the stores of secrets are called in tables and messages. */
export const STORES = { keyring: "system keyring", file: "encrypted file" } as const;
