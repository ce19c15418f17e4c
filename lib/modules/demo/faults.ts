import { defineFaults } from "../../core/base/fault.ts";

export { Fault } from "../../core/base/fault.ts";

/** Faults of the demo server. */
export const faults = defineFaults({
  demo_unavailable: {
    status: 409,
    text: () =>
      "the proxy cannot start the demo server, because it cannot determine the command that started the proxy itself; start the proxy with: proxy serve --demo",
  },
});
