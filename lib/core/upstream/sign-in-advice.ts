import type { ConnectionContext } from "./connection-context.ts";

/** What helps when a server requires a sign-in, or one that grants more. */
export interface SignInAdvice {
  readonly signIn: string;
  readonly widen: string;
}

/** Returns the advice for the caller of a connection: the operator's sign-in does not help a user with an own one. */
export function signInAdvice(
  { config, owner, userSignInPage }: Pick<ConnectionContext, "config" | "owner" | "userSignInPage">,
  server: string,
): SignInAdvice {
  if (owner === undefined) {
    const command = `with: proxy upstream login ${server}`;
    return { signIn: `sign in ${command}`, widen: `grant it ${command}` };
  }
  if (config.server(server)?.auth_broker?.mode === "id_jag") {
    const again = "call it again: the next call requests a new token from the identity provider";
    return { signIn: again, widen: again };
  }
  const page = userSignInPage?.() ?? "";
  const again = `sign in to the server again, in a browser, at ${page}`;
  return { signIn: again, widen: again };
}
