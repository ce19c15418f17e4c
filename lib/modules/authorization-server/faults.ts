import { defineFaults } from "../../core/base/fault.ts";

export { Fault } from "../../core/base/fault.ts";

/** Faults of the sign-in of MCP clients. */
export const faults = defineFaults({
  client_sign_in_busy: {
    status: 429,
    text: (p: { retryAfterMs: number }) =>
      `too many clients signed in or registered from this address; try again in ${Math.ceil(p.retryAfterMs / 1000)} s`,
  },
  client_sign_in_disabled: {
    status: 404,
    text: () => "sign-in of MCP clients is disabled; enable it with the configuration key auth.oauth.enabled: true",
  },
  client_sign_in_over: {
    status: 404,
    text: () =>
      "this sign-in has expired, has been answered already, or began in another browser; start it again in the client",
  },
});
