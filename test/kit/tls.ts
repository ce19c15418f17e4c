import "reflect-metadata";
import { createPrivateKey, webcrypto, X509Certificate } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { type IncomingMessage, request as plainRequest } from "node:http";
import { createServer, type RequestOptions, request } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { BasicConstraintsExtension, SubjectAlternativeNameExtension, X509CertificateGenerator } from "@peculiar/x509";
import { folder } from "./program.ts";

/** Reads a file of certificates. */
export const pem = (...path: string[]): string => readFileSync(join(...path), "utf8");
export const cert = (...path: string[]): X509Certificate => new X509Certificate(pem(...path));

export interface Got {
  status: number;
  headers: IncomingMessage["headers"];
  body: string;
  /** Serial number of the server's certificate. */
  serial: string;
}

/** Sends one request over TLS on a separate connection. */
export function ask(url: string, options: RequestOptions = {}, body?: string): Promise<Got> {
  return new Promise((done, fail) => {
    const asked = request(url, { agent: false, ...options }, (res) => {
      const serial = (res.socket as import("node:tls").TLSSocket).getPeerCertificate().serialNumber;
      let text = "";
      res.setEncoding("utf8").on("data", (piece: string) => {
        text += piece;
      });
      res.on("end", () => done({ status: res.statusCode ?? 0, headers: res.headers, body: text, serial }));
      res.on("error", fail);
    });
    asked.on("error", fail).end(body);
  });
}

/** Creates a self-signed certificate that the proxy did not issue, with its key. */
export async function foreign(
  name: string,
  {
    from,
    days,
    authority = false,
    hosts = ["localhost"],
  }: { from: number; days: number; authority?: boolean; hosts?: string[] },
): Promise<{ cert: string; key: string }> {
  const signingAlgorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
  const keys = await webcrypto.subtle.generateKey(signingAlgorithm, true, ["sign", "verify"]);
  const made = await X509CertificateGenerator.createSelfSigned({
    name,
    keys,
    signingAlgorithm,
    notBefore: new Date(from),
    notAfter: new Date(from + days * 86_400_000),
    extensions: [
      new BasicConstraintsExtension(authority, undefined, true),
      new SubjectAlternativeNameExtension(hosts.map((value) => ({ type: "dns" as const, value }))),
    ],
  });
  const der = Buffer.from(await webcrypto.subtle.exportKey("pkcs8", keys.privateKey));
  const key = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  return { cert: `${made.toString("pem")}\n`, key: key.export({ format: "pem", type: "pkcs8" }).toString() };
}

/**
 * Starts an HTTPS server in front of a server on this machine. Its authority is not trusted by default.
 *
 * @param host the name in the certificate
 * @returns its port, and the PEM file of the authority, alone in its folder
 */
export async function httpsFront(
  t: Pick<TestContext, "after">,
  behind: number,
  host: string,
): Promise<{ port: number; authority: string }> {
  const pair = await foreign(`CN=${host}`, { from: Date.now() - 60_000, days: 5, hosts: [host] });
  const front = createServer(pair, (req, res) => {
    const { method, url, headers } = req;
    const onward = plainRequest({ port: behind, host: "127.0.0.1", method, path: url, headers }, (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(res);
    });
    res.on("close", () => onward.destroy());
    onward.on("error", () => res.destroy());
    req.pipe(onward);
  });
  await new Promise<void>((done) => front.listen(0, "127.0.0.1", done));
  t.after(() => {
    front.close();
    front.closeAllConnections();
  });
  const authority = join(folder(t), "ca.pem");
  writeFileSync(authority, pair.cert);
  return { port: (front.address() as AddressInfo).port, authority };
}
