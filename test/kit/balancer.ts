import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Scope } from "./program.ts";

/** A load balancer in front of replicas, without affinity: each request goes to the next replica. */
export interface Balancer {
  /** Such as `http://127.0.0.1:41234`. */
  readonly url: string;
  /** Requests that got an answer, by the URL of the replica. */
  readonly answered: ReadonlyMap<string, number>;
  /** Lets a replica take part; it gets requests once it is ready. */
  add(url: string): void;
  /** Sends a replica no further requests; those under way go on. */
  remove(url: string): void;
  /** Whether a replica gets requests. */
  isUsed(url: string): boolean;
}

/** Time between two checks of a replica. (ms) */
const CHECK_MS = 100;
const CHECK_TIMEOUT_MS = 2000;

/**
 * Starts a balancer as they are usually set up: it checks `/readyz`, reuses connections, and sends a request to another
 * replica only if the first one did not accept the connection, because otherwise the request may have been carried out.
 * A client whose replica breaks off gets status 502, or a broken response if a part of it has arrived. Responses name the
 * replica in `x-replica`.
 */
export async function startBalancer(scope: Scope): Promise<Balancer> {
  const replicas = new Map<string, Replica>();
  const answered = new Map<string, number>();
  let next = 0;

  const inTurn = (): Replica[] => {
    const all = [...replicas.values()];
    const start = next++;
    return all.map((_, index) => all[(start + index) % all.length]!).filter(({ isReady }) => isReady);
  };
  const server = createServer(async (req, res) => {
    const body = await bodyOf(req).catch(() => undefined);
    if (body === undefined) return void res.destroy();
    for (const replica of inTurn())
      if (await forward(replica, req, { res, body })) {
        answered.set(replica.url, (answered.get(replica.url) ?? 0) + 1);
        return;
      }
    if (!res.headersSent) res.writeHead(503, { "content-type": "text/plain" }).end("no replica is ready");
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const timer = setInterval(() => {
    for (const replica of replicas.values()) void check(replica);
  }, CHECK_MS);
  const agents: Agent[] = [];
  scope.after(async () => {
    clearInterval(timer);
    replicas.clear();
    for (const agent of agents) agent.destroy();
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answered,
    add(url) {
      const agent = new Agent({ keepAlive: true, maxSockets: 512 });
      agents.push(agent);
      const replica = { url, agent, isReady: false };
      replicas.set(url, replica);
      void check(replica);
    },
    remove: (url) => void replicas.delete(url),
    isUsed: (url) => replicas.get(url)?.isReady === true,
  };
}

interface Replica {
  readonly url: string;
  readonly agent: Agent;
  isReady: boolean;
}

/** Reads a body, so that it can be sent to another replica. */
async function bodyOf(req: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function check(replica: Replica): Promise<void> {
  return new Promise((done) => {
    const over = (isReady: boolean) => {
      replica.isReady = isReady;
      done();
    };
    const req = request(`${replica.url}/readyz`, { agent: false, timeout: CHECK_TIMEOUT_MS }, (res) => {
      res.resume();
      over(res.statusCode === 200);
    });
    // A slow answer on a busy machine says nothing.
    req.on("timeout", () => req.destroy(new Error("slow")));
    req.on("error", (error) => over(error.message === "slow" && replica.isReady));
    req.end();
  });
}

/** @returns false if the replica did not accept the connection, so that nothing was sent */
function forward(
  { url, agent }: Replica,
  { method, url: path = "/", rawHeaders }: IncomingMessage,
  { res, body }: { res: ServerResponse; body: Buffer },
): Promise<boolean> {
  return new Promise((done) => {
    const headers = ownHeaders(rawHeaders);
    const began = performance.now();
    let isOver = false;
    const over = (isAnswered: boolean) => {
      isOver = true;
      done(isAnswered);
    };
    const onward = request(url + path, { method, headers, agent }, (answer) => {
      const { "transfer-encoding": _, connection: __, "keep-alive": ___, ...shown } = answer.headers;
      res.writeHead(answer.statusCode ?? 502, { ...shown, "x-replica": url });
      answer.pipe(res);
      answer.on("error", () => res.destroy());
      answer.once("close", () => over(true));
    });
    onward.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ECONNREFUSED") return over(false);
      if (res.headersSent) res.destroy();
      else {
        const connection = onward.reusedSocket ? "a reused" : "a new";
        const reason = `${error.message} on ${connection} connection after ${Math.round(performance.now() - began)} ms`;
        res.writeHead(502, { "content-type": "text/plain", "x-replica": url }).end(`${url} broke off: ${reason}`);
      }
      over(true);
    });
    res.once("close", () => {
      if (!isOver) onward.destroy();
    });
    onward.end(body);
  });
}

/** Headers as the client sent them, without those of its connection. */
function ownHeaders(raw: readonly string[]): string[] {
  const hop = new Set(["connection", "keep-alive", "transfer-encoding"]);
  return raw.filter((_, index) => !hop.has(raw[index - (index % 2)]!.toLowerCase()));
}
