import type { Cli } from "./cli.ts";

/** The note shown while `/mcp` accepts clients without a credential, with the command that changes this. */
export const tokensOptional = ({ self }: Pick<Cli, "self">): string =>
  `tokens are optional on /mcp: a client without a token may use every server; to require tokens: ${self} config set require_mcp_auth true`;
