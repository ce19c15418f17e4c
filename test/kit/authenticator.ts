import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";

/** What an authenticator may get wrong or be made to lie about. */
interface Lies {
  /** The page that the browser reports. */
  origin?: string;
  /** The host name to which the authenticator binds the passkey. */
  rpId?: string;
  /** Whether the authenticator verified its person. */
  isUserVerified?: boolean;
  challenge?: string;
  type?: string;
  counter?: number;
}

const sha256 = (data: string | Buffer) => createHash("sha256").update(data).digest();
const base64url = (data: string | Buffer) => Buffer.from(data).toString("base64url");

/** An authenticator with one passkey, made from the specification (WebAuthn level 2 §6), with its browser. */
export class Authenticator {
  readonly #keys = generateKeyPairSync("ec", { namedCurve: "P-256" });
  readonly #id = randomBytes(16);
  readonly origin: string;
  counter = 0;

  constructor(origin: string) {
    this.origin = origin;
  }

  /** Answers `navigator.credentials.create`. */
  create(options: { challenge: string }, lies: Lies = {}) {
    const { x = "", y = "" } = this.#keys.publicKey.export({ format: "jwk" });
    const [point, other] = [Buffer.from(x, "base64url"), Buffer.from(y, "base64url")];
    // COSE: {1: 2 (EC2), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y}.
    const key = Buffer.concat([hex("a5010203262001215820"), point, hex("225820"), other]);
    const data = Buffer.concat([this.#data(0x40, lies), Buffer.alloc(16), hex("0010"), this.#id, key]);
    const attestation = Buffer.concat([
      hex("a3"),
      text("fmt"),
      text("none"),
      text("attStmt"),
      hex("a0"),
      text("authData"),
      Buffer.from([0x58, data.length]),
      data,
    ]);
    return {
      ...this.#common,
      response: {
        clientDataJSON: base64url(this.#clientData("webauthn.create", options, lies)),
        attestationObject: base64url(attestation),
        transports: ["internal"],
      },
    };
  }

  /** Answers `navigator.credentials.get`. */
  get(options: { challenge: string }, lies: Lies = {}) {
    const clientData = this.#clientData("webauthn.get", options, lies);
    const data = this.#data(0, lies);
    const signed = Buffer.concat([data, sha256(clientData)]);
    return {
      ...this.#common,
      response: {
        clientDataJSON: base64url(clientData),
        authenticatorData: base64url(data),
        signature: base64url(sign("sha256", signed, this.#keys.privateKey)),
      },
    };
  }

  get #common() {
    const id = base64url(this.#id);
    return { id, rawId: id, type: "public-key" as const, clientExtensionResults: {} };
  }

  #clientData(type: string, { challenge }: { challenge: string }, lies: Lies): string {
    return JSON.stringify({
      type: lies.type ?? type,
      challenge: lies.challenge ?? challenge,
      origin: lies.origin ?? this.origin,
      crossOrigin: false,
    });
  }

  #data(flags: number, { rpId = new URL(this.origin).hostname, isUserVerified = true, counter }: Lies): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter ?? ++this.counter);
    return Buffer.concat([sha256(rpId), Buffer.from([flags | 0x01 | (isUserVerified ? 0x04 : 0)]), count]);
  }
}

const hex = (digits: string) => Buffer.from(digits, "hex");
/** A text of fewer than 24 characters in CBOR. */
const text = (short: string) => Buffer.concat([Buffer.from([0x60 + short.length]), Buffer.from(short)]);
