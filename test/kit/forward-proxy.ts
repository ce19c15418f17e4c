import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { connect } from "node:net";
import type { TestContext } from "node:test";

export interface ForwardProxy {
  readonly port: number;
  /** The received request lines. */
  readonly seen: string[];
}

export interface ForwardProxyOptions {
  /** Ports on this machine by host name. */
  readonly hosts: Readonly<Record<string, number>>;
  /** The required `user:password`. */
  readonly password?: string;
  /** Answers each tunnel with this status. */
  readonly refuse?: number;
}

/** An HTTP proxy like that of an organisation: it resolves names itself, forwards plain requests and opens tunnels. */
export async function forwardProxy(
  t: TestContext,
  { hosts, password, refuse }: ForwardProxyOptions,
): Promise<ForwardProxy> {
  const seen: string[] = [];
  const wanted = password && `Basic ${Buffer.from(password).toString("base64")}`;
  const isStranger = (headers: { "proxy-authorization"?: string | undefined }) =>
    wanted !== undefined && headers["proxy-authorization"] !== wanted;
  const server = createServer((req, res) => {
    seen.push(`${req.method} ${req.url}`);
    const port = URL.canParse(req.url ?? "") ? hosts[new URL(req.url!).hostname] : undefined;
    if (isStranger(req.headers)) return void res.writeHead(407).end("password");
    if (port === undefined) return void res.writeHead(502).end("unknown host");
    const { pathname, search } = new URL(req.url!);
    const { "proxy-authorization": _, ...headers } = req.headers;
    const onward = request(
      { port, host: "127.0.0.1", method: req.method, path: pathname + search, headers },
      (answer) => {
        res.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(res);
      },
    );
    onward.on("error", () => res.destroy());
    res.on("close", () => onward.destroy());
    req.pipe(onward);
  });
  server.on("connect", (req, socket) => {
    seen.push(`${req.method} ${req.url}`);
    socket.on("error", () => {});
    const port = hosts[(req.url ?? "").replace(/:\d+$/, "")];
    const status = isStranger(req.headers) ? 407 : (refuse ?? (port === undefined ? 502 : 200));
    if (status !== 200) return void socket.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`);
    const onward = connect(port!, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      onward.pipe(socket).pipe(onward);
    });
    onward.on("error", () => socket.destroy());
    socket.on("close", () => onward.destroy());
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return { port: (server.address() as AddressInfo).port, seen };
}
