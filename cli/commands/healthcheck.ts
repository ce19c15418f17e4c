import { ask } from "#lib/client/client.ts";
import { command } from "../command.ts";
import { EXIT } from "../exit.ts";

/** Whoever asks does so again soon. (ms) */
const PATIENCE_MS = 5000;

export default command({
  meta: {
    description: "Exit 0 when the proxy answers, 1 when it does not",
    detail: "For container engines and monitors. It needs no key.",
    examples: ["proxy healthcheck", "proxy healthcheck --ready --url http://127.0.0.1:8080"],
  },
  args: {
    ready: { type: "boolean", description: "ask too whether its index is built and its store takes writes" },
  },
  async run({ cli, args }) {
    const route = args.ready ? "GET /readyz" : "GET /healthz";
    const { status } = await ask(cli.send, route, {}, { signal: cli.signal, timeoutMs: PATIENCE_MS });
    const healthy = status === 200;
    await cli.show({ healthy }, () => (healthy ? "ok" : args.ready ? "not ready" : `answers ${status}`));
    return healthy ? EXIT.ok : EXIT.failed;
  },
});
