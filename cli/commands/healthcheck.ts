import { requestRoute } from "#lib/client/client.ts";
import { command } from "../command.ts";
import { EXIT } from "../exit.ts";

/** Timeout of one check; the caller repeats it soon (ms). */
const TIMEOUT_MS = 5000;

export default command({
  meta: {
    group: "watch",
    description: "Exit with 0 if the proxy answers, otherwise with 1",
    detail: "For container engines and monitoring. Requires no key.",
    examples: ["proxy healthcheck", "proxy healthcheck --ready --url http://127.0.0.1:8080"],
  },
  args: {
    ready: { type: "boolean", description: "also check that the index is built and the database accepts writes" },
  },
  async run({ cli, args }) {
    const route = args.ready ? "GET /readyz" : "GET /healthz";
    const { status } = await requestRoute(cli.send, route, {}, { signal: cli.signal, timeoutMs: TIMEOUT_MS });
    const healthy = status === 200;
    await cli.show({ healthy }, () => (healthy ? "ok" : args.ready ? "not ready" : `answers ${status}`));
    return healthy ? EXIT.ok : EXIT.failed;
  },
});
