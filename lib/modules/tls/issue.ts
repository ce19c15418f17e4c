import "reflect-metadata";
import { createPrivateKey, createPublicKey, type KeyObject, webcrypto } from "node:crypto";
import { isIP } from "node:net";
import { AsnConvert } from "@peculiar/asn1-schema";
import { GeneralName, GeneralSubtree, GeneralSubtrees, NameConstraints } from "@peculiar/asn1-x509";
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PublicKey,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from "@peculiar/x509";
import { isLoopback } from "../../core/base/host-port.ts";

/**
 * Certificates of the local authority (RFC 5280). Loaded only to create one; Node itself reads certificates. All inputs
 * and outputs are PEM.
 */

const DAY_MS = 86_400_000;
const CA_DAYS = 3650;
/** Lifetime of a server certificate: Apple's systems reject one above 398 days. */
const SERVER_DAYS = 397;
/** Validity starts earlier by this time, because clients' clocks differ (ms). */
const SKEW_MS = 3_600_000;

const NAME_CONSTRAINTS = "2.5.29.30";

/** The authority that signs: certificate and key. */
export interface Authority {
  cert: string;
  key: string;
}

/** Creates a private key on the curve P-256, as PKCS#8. */
export async function newKey(): Promise<string> {
  const pair = await webcrypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, ["sign", "verify"]);
  const der = await webcrypto.subtle.exportKey("pkcs8", pair.privateKey);
  return createPrivateKey({ key: Buffer.from(der), format: "der", type: "pkcs8" }).export(PEM) as string;
}

/**
 * Creates a certificate for an authority's key. Name constraints limit it to the given names and loopback, so that
 * whoever steals the key of a trusted authority can only impersonate this proxy.
 *
 * @param label distinguishes the authorities of several machines in a list
 */
export async function issueAuthority(
  { key, names, label }: { key: string; names: readonly string[]; label: string },
  now: number,
): Promise<string> {
  const publicKey = publicKeyOf(key);
  const subject = [{ CN: [`proxy local authority (${plainLabel(label)})`] }];
  const made = await X509CertificateGenerator.create({
    serialNumber: serial(),
    subject,
    issuer: subject,
    notBefore: new Date(now - SKEW_MS),
    notAfter: new Date(now + CA_DAYS * DAY_MS),
    publicKey,
    ...(await signing(key)),
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth, ExtendedKeyUsage.clientAuth]),
      new Extension(NAME_CONSTRAINTS, true, AsnConvert.serialize(permitted(names))),
      await SubjectKeyIdentifierExtension.create(publicKey),
    ],
  });
  return pem(made);
}

/** Creates the listener's certificate. */
export async function issueServer(
  by: Authority,
  { key, names }: { key: string; names: readonly string[] },
  now: number,
): Promise<string> {
  return issueLeaf(by, {
    subject: `proxy (${plainLabel(names.find((name) => !isIP(name)) ?? "localhost")})`,
    key,
    purpose: ExtendedKeyUsage.serverAuth,
    until: now + SERVER_DAYS * DAY_MS,
    now,
    names,
  });
}

/** Creates a client certificate, for `require_client_cert`. */
export async function issueClient(
  by: Authority,
  { key, name, days }: { key: string; name: string; days: number },
  now: number,
): Promise<string> {
  return issueLeaf(by, {
    // The space prevents readers from taking the name for a host that the authority may not sign.
    subject: `${plainLabel(name)} (proxy client)`,
    key,
    purpose: ExtendedKeyUsage.clientAuth,
    until: now + days * DAY_MS,
    now,
    names: [],
  });
}

/** Whether an authority's name constraints permit all of these names. */
export function maySignFor(authority: string, names: readonly string[]): boolean {
  const limits = new X509Certificate(authority).getExtension(NAME_CONSTRAINTS);
  if (!limits) return true;
  const { permittedSubtrees = [] } = AsnConvert.parse(limits.value, NameConstraints);
  const inside = new Set(permittedSubtrees.map(({ base }) => limitText(base)));
  return names.every((name) => isLoopback(name) || inside.has(limitText(limitOf(name))));
}

interface Leaf {
  subject: string;
  key: string;
  purpose: ExtendedKeyUsage;
  until: number;
  now: number;
  names: readonly string[];
}

async function issueLeaf(by: Authority, { subject, key, purpose, until, now, names }: Leaf): Promise<string> {
  const authority = new X509Certificate(by.cert);
  const publicKey = publicKeyOf(key);
  const made = await X509CertificateGenerator.create({
    serialNumber: serial(),
    subject: [{ CN: [subject] }],
    issuer: authority.subjectName,
    notBefore: new Date(now - SKEW_MS),
    notAfter: new Date(Math.min(until, authority.notAfter.getTime())),
    publicKey,
    ...(await signing(by.key)),
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([purpose]),
      ...(names.length > 0
        ? [
            new SubjectAlternativeNameExtension(
              names.map((name) => ({ type: isIP(name) ? ("ip" as const) : ("dns" as const), value: name })),
            ),
          ]
        : []),
      await authorityId(authority),
      await SubjectKeyIdentifierExtension.create(publicKey),
    ],
  });
  return pem(made);
}

/** The authority's own key identifier, because another program may have created it. */
async function authorityId(authority: X509Certificate): Promise<Extension> {
  const own = authority.getExtension(SubjectKeyIdentifierExtension);
  return own
    ? new AuthorityKeyIdentifierExtension(own.keyId)
    : AuthorityKeyIdentifierExtension.create(authority.publicKey);
}

const PEM = { format: "pem", type: "pkcs8" } as const;

const pem = (cert: X509Certificate) => `${cert.toString("pem")}\n`;

/** A serial number of 16 bytes whose first bit is 0, because it must be positive (RFC 5280 §4.1.2.2). */
function serial(): string {
  const bytes = webcrypto.getRandomValues(new Uint8Array(16));
  bytes[0] = (bytes[0]! & 0x7f) | 0x40;
  return Buffer.from(bytes).toString("hex");
}

/** Keeps letters, digits, dots and dashes; other characters can have a meaning in certificates. */
const plainLabel = (text: string) => text.replace(/[^\p{L}\p{N}.* -]/gu, "_").slice(0, 40) || "unnamed";

function publicKeyOf(privateKey: string): PublicKey {
  const der = createPublicKey(createPrivateKey(privateKey)).export({ format: "der", type: "spki" });
  return new PublicKey(der);
}

/** @throws Error if the type of the authority's key is not supported for signing */
async function signing(privateKey: string) {
  const key = createPrivateKey(privateKey);
  const der = key.export({ format: "der", type: "pkcs8" });
  const algorithm = algorithmOf(key);
  const signingKey = await webcrypto.subtle.importKey("pkcs8", der, algorithm, false, ["sign"]);
  return { signingKey, signingAlgorithm: { ...algorithm, hash: "SHA-256" } };
}

function algorithmOf(key: KeyObject) {
  const curve = CURVES[key.asymmetricKeyDetails?.namedCurve ?? ""];
  if (key.asymmetricKeyType === "ec" && curve) return { name: "ECDSA", namedCurve: curve };
  if (key.asymmetricKeyType === "rsa") return { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
  throw new Error(`keys of type ${key.asymmetricKeyType} are not supported; use P-256 or RSA`);
}
const CURVES: Record<string, string> = { prime256v1: "P-256", secp384r1: "P-384", secp521r1: "P-521" };

/**
 * The permitted names: loopback and the given ones. A constraint for a DNS name also covers its subdomains (RFC 5280
 * §4.2.1.10).
 */
function permitted(names: readonly string[]): NameConstraints {
  const bases = [
    new GeneralName({ dNSName: "localhost" }),
    new GeneralName({ iPAddress: "127.0.0.0/8" }),
    new GeneralName({ iPAddress: "::1/128" }),
    ...names.filter((name) => !isLoopback(name)).map(limitOf),
  ];
  return new NameConstraints({
    permittedSubtrees: new GeneralSubtrees(bases.map((base) => new GeneralSubtree({ base }))),
  });
}

function limitOf(name: string): GeneralName {
  const family = isIP(name);
  if (family === 0) return new GeneralName({ dNSName: name.replace(/^\*\./, "") });
  return new GeneralName({ iPAddress: `${name}/${family === 4 ? 32 : 128}` });
}

/** The form of a limit in a certificate, where an address has only one form. */
function limitText(limit: GeneralName): string {
  const { dNSName, iPAddress } = AsnConvert.parse(AsnConvert.serialize(limit), GeneralName);
  return dNSName ?? iPAddress ?? "";
}
