import "reflect-metadata";
import { createPrivateKey, webcrypto } from "node:crypto";
import { writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { request as secureRequest } from "node:https";
import type { AddressInfo, connect } from "node:net";
import { join } from "node:path";
import { createSecureContext, TLSSocket } from "node:tls";
import {
  BasicConstraintsExtension,
  SubjectAlternativeNameExtension,
  type X509Certificate,
  X509CertificateGenerator,
} from "@peculiar/x509";
import { folder, type Scope } from "./program.ts";

export interface InterceptingProxy {
  /** Such as `http://127.0.0.1:41234`, for HTTPS_PROXY. */
  readonly url: string;
  /** The PEM file of its certificate authority. */
  readonly authority: string;
  /** The hosts to which it opened a tunnel and answered with a certificate of its own, each once. */
  readonly hosts: ReadonlySet<string>;
}

/**
 * An HTTP proxy like that of an organisation that reads all traffic: it ends TLS itself, with certificates that a private
 * authority signs for each host, and forwards the requests.
 *
 * @param local ports of HTTP servers on this machine by host name; other hosts are reached by https
 */
export async function interceptingProxy(t: Scope, local: Readonly<Record<string, number>>): Promise<InterceptingProxy> {
  const issue = await certificateAuthority();
  const authority = join(folder(t), "company.pem");
  writeFileSync(authority, issue.authority);
  const hosts = new Set<string>();
  const plain = createServer((_, res) => void res.writeHead(405).end("only tunnels"));
  const inside = createServer((req, res) => forward(req, res, local));
  plain.on("connect", (req, socket) => {
    const [host = ""] = (req.url ?? "").split(":");
    hosts.add(host);
    socket.on("error", () => {});
    issue.for(host).then((secureContext) => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      const secure = new TLSSocket(socket as Parameters<typeof connect>[0] & import("node:net").Socket, {
        isServer: true,
        secureContext,
        ALPNProtocols: ["http/1.1"],
      });
      // A client that does not trust the authority ends the handshake.
      secure.on("error", () => socket.destroy());
      inside.emit("connection", secure);
    });
  });
  await new Promise<void>((done) => plain.listen(0, "127.0.0.1", done));
  t.after(() => {
    for (const server of [plain, inside]) {
      server.close();
      server.closeAllConnections();
    }
  });
  return { url: `http://127.0.0.1:${(plain.address() as AddressInfo).port}`, authority, hosts };
}

function forward(req: IncomingMessage, res: ServerResponse, local: Readonly<Record<string, number>>): void {
  const { method, url: path, headers } = req;
  const host = headers.host ?? "";
  const port = local[host];
  const answer = (from: IncomingMessage) => {
    res.writeHead(from.statusCode ?? 502, from.headers);
    from.pipe(res);
  };
  const onward =
    port === undefined
      ? secureRequest({ host, method, path, headers }, answer)
      : request({ host: "127.0.0.1", port, method, path, headers }, answer);
  onward.on("error", () => res.destroy());
  res.on("close", () => onward.destroy());
  req.pipe(onward);
}

const SIGNING = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };

/** Creates an authority that signs a certificate for each host at its first use. */
async function certificateAuthority() {
  const keys = await webcrypto.subtle.generateKey(SIGNING, true, ["sign", "verify"]);
  const valid = { notBefore: new Date(Date.now() - 60_000), notAfter: new Date(Date.now() + 86_400_000) };
  const root = await X509CertificateGenerator.createSelfSigned({
    name: "CN=Company authority",
    keys,
    signingAlgorithm: SIGNING,
    ...valid,
    extensions: [new BasicConstraintsExtension(true, undefined, true)],
  });
  const own = await webcrypto.subtle.generateKey(SIGNING, true, ["sign", "verify"]);
  const der = Buffer.from(await webcrypto.subtle.exportKey("pkcs8", own.privateKey));
  const key = createPrivateKey({ key: der, format: "der", type: "pkcs8" }).export({ format: "pem", type: "pkcs8" });
  const signed = (host: string): Promise<X509Certificate> =>
    X509CertificateGenerator.create({
      subject: `CN=${host}`,
      issuer: root.subject,
      signingKey: keys.privateKey,
      publicKey: own.publicKey,
      signingAlgorithm: SIGNING,
      ...valid,
      extensions: [new SubjectAlternativeNameExtension([{ type: "dns", value: host }])],
    });
  const contexts = new Map<string, Promise<ReturnType<typeof createSecureContext>>>();
  return {
    authority: `${root.toString("pem")}\n`,
    for(host: string) {
      const context =
        contexts.get(host) ?? signed(host).then((one) => createSecureContext({ cert: one.toString("pem"), key }));
      contexts.set(host, context);
      return context;
    },
  };
}
