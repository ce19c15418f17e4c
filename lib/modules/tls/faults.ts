import { defineFaults } from "../../core/base/fault.ts";

export { Fault } from "../../core/base/fault.ts";

/** Faults of TLS on the listener. */
export const faults = defineFaults({
  tls_unusable: { status: 500, text: (p: { reason: string }) => `the proxy cannot serve TLS: ${p.reason}` },
});
