import { defineFaults } from "../../core/base/fault.ts";

export { Fault } from "../../core/base/fault.ts";

/** Why there is no token for a user at a server, what helps, and the page on which a user signs in to the proxy. */
interface Personal {
  readonly server: string;
  readonly reason: string;
  readonly remedy: string;
  readonly path: string;
}

/** Faults of the multi-user edition. */
export const faults = defineFaults({
  credentials_off: {
    status: 409,
    text: () =>
      "the proxy cannot store sign-ins of users; an administrator must set server_edition.credential_encryption_key or SERVICE_CRED_KEY",
  },
  edition_off: {
    status: 404,
    text: () => "sign-in needs the multi-user edition, which is disabled; see server_edition in the documentation",
  },
  own_account: {
    status: 409,
    text: () => "you cannot disable your own account; ask another administrator, or use the API key",
  },
  proxy_sign_in_needed: {
    status: 403,
    text: (p: Personal) => `no access to server "${p.server}": ${p.reason}; ${p.remedy} at ${p.path}`,
  },
  server_access_denied: {
    status: 403,
    text: (p: Personal) => `no access to server "${p.server}": ${p.reason}; ${p.remedy}`,
  },
  server_access_unavailable: {
    status: 502,
    text: (p: Personal) => `no access to server "${p.server}" at the moment: ${p.reason}; ${p.remedy}`,
  },
  server_needs_user: {
    status: 403,
    text: (p: { server: string }) =>
      `server "${p.server}" is used on behalf of people only; call it as a signed-in user, or with an agent token of a user`,
  },
  sign_in_denied: { status: 403, text: (p: { reason: string }) => `not signed in: ${p.reason}` },
  sign_in_state: {
    status: 400,
    text: () =>
      "this sign-in was not started in this browser, is already finished, or took longer than 10 minutes; start again at /api/v1/auth/login",
  },
  sign_in_unavailable: {
    status: 502,
    text: (p: { reason: string }) =>
      `the identity provider cannot be reached: ${p.reason}; try again, or see: proxy doctor`,
  },
  user_connect_needed: {
    status: 403,
    text: (p: { server: string; path: string }) =>
      `server "${p.server}" needs you to sign in yourself; open ${p.path} in a browser and sign in to the server there`,
  },
});
