import { defineFaults } from "../../core/base/fault.ts";

export { Fault } from "../../core/base/fault.ts";

/** Faults of passkeys. */
export const faults = defineFaults({
  passkey_busy: {
    status: 429,
    text: (p: { retryAfterMs: number }) =>
      `too many passkeys were requested from this address; try again in ${Math.ceil(p.retryAfterMs / 1000)} s`,
  },
  passkey_limit: {
    status: 409,
    text: (p: { max: number }) => `there are already ${p.max} passkeys; remove one with: proxy passkey remove <id>`,
  },
  passkey_refused: {
    status: 401,
    text: (p: { reason: string }) =>
      `the passkey was not accepted: ${p.reason}; try again, or sign in with the link of \`proxy ui\` or the API key`,
  },
  passkey_unavailable: {
    status: 409,
    text: (p: { reason: string }) => `passkeys cannot be used here: ${p.reason}`,
  },
});
