import { connect } from "node:net";

const SERVICE = "org.freedesktop.secrets";
const BUS = "org.freedesktop.DBus";

/**
 * Waits until the Secret Service answers over the session bus, or until it is certain that the library of the keyring
 * fails at once. The library connects to the bus on the main thread and without a time limit, so a bus that accepts
 * connections and does not answer would stop the whole program.
 *
 * @param address `DBUS_SESSION_BUS_ADDRESS`
 * @param signal ends the wait with its reason
 * @see D-Bus Specification, "Server Addresses", "Authentication Protocol", "Message Protocol"
 */
export async function awaitSecretService(address: string, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const path = socketPathOf(address);
  // Busses over TCP are out of use.
  if (path === undefined) return;
  await new Promise<void>((done, fail) => {
    const socket = connect(path);
    const stop = () => {
      socket.destroy();
      fail(signal.reason);
    };
    signal.addEventListener("abort", stop, { once: true });
    const reader = createReplyReader();
    socket.on("connect", () => socket.write(`\0AUTH EXTERNAL ${Buffer.from(userId()).toString("hex")}\r\n`));
    socket.on("data", (chunk) => {
      const state = reader.feed(chunk);
      if (state === "accepted") socket.write(Buffer.concat([Buffer.from("BEGIN\r\n"), HELLO, QUESTION]));
      else if (state === "over") socket.destroy();
    });
    // The library gets the same error, at once.
    socket.on("error", () => {});
    socket.on("close", () => {
      signal.removeEventListener("abort", stop);
      done();
    });
  });
}

const userId = () => String(process.getuid?.() ?? 0);

/** Returns the path of the first Unix socket in an address such as `unix:path=/run/user/1000/bus,guid=…`. */
function socketPathOf(address: string): string | undefined {
  for (const entry of address.split(";")) {
    const [, kind, value] = /^unix:(?:.*,)?(path|abstract)=([^,]+)/.exec(entry) ?? [];
    if (value !== undefined) return (kind === "abstract" ? "\0" : "") + decodeURIComponent(value);
  }
  return undefined;
}

/** Reads what the bus sends: the end of the authentication, and then the replies to `HELLO` and `QUESTION`. */
function createReplyReader() {
  let rest: Buffer = Buffer.alloc(0);
  let isAccepted = false;
  let replies = 0;
  return {
    feed(chunk: Buffer): "accepted" | "over" | undefined {
      rest = Buffer.concat([rest, chunk]);
      if (!isAccepted) {
        const end = rest.indexOf("\r\n");
        if (end < 0) return undefined;
        if (!rest.toString("latin1").startsWith("OK")) return "over";
        isAccepted = true;
        rest = rest.subarray(end + 2);
        return "accepted";
      }
      for (let size = messageSize(rest); size <= rest.length; size = messageSize(rest)) {
        const type = rest[1];
        if (type === REPLY || type === ERROR) replies++;
        rest = rest.subarray(size);
        if (replies === 2 || type === ERROR) return "over";
      }
      return undefined;
    },
  };
}

const [CALL, REPLY, ERROR] = [1, 2, 3];
const LITTLE_ENDIAN = 0x6c;
/** Bytes of a message before the fields of its header. */
const FIXED_BYTES = 16;

/** Returns the size of the message at the beginning; infinite if that is not known yet. (bytes) */
function messageSize(bytes: Buffer): number {
  if (bytes.length < FIXED_BYTES) return Number.POSITIVE_INFINITY;
  const [body, fields] = [4, 12].map((at) =>
    bytes[0] === LITTLE_ENDIAN ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at),
  ) as [number, number];
  return FIXED_BYTES + Math.ceil(fields / 8) * 8 + body;
}

interface Call {
  readonly serial: number;
  readonly destination: string;
  readonly path: string;
  readonly interface: string;
  readonly member: string;
  /** The arguments, which are all texts. */
  readonly texts?: readonly string[];
}

function callMessage(call: Call): Buffer {
  const { texts = [] } = call;
  const body = texts.reduce((bytes, text) => Buffer.concat([aligned(bytes, 4), textValue(text)]), Buffer.alloc(0));
  const fields = [
    field(1, "o", textValue(call.path)),
    field(2, "s", textValue(call.interface)),
    field(3, "s", textValue(call.member)),
    field(6, "s", textValue(call.destination)),
    ...(texts.length > 0 ? [field(8, "g", signature("s".repeat(texts.length)))] : []),
  ].reduce((bytes, one) => Buffer.concat([aligned(bytes, 8), one]));
  const version = 1;
  const head = Buffer.from([LITTLE_ENDIAN, CALL!, 0, version]);
  const sizes = Buffer.concat([number(body.length), number(call.serial), number(fields.length)]);
  return Buffer.concat([head, sizes, aligned(fields, 8), body]);
}

const field = (code: number, type: string, value: Buffer) =>
  Buffer.concat([Buffer.from([code]), signature(type), value]);
const signature = (types: string) => Buffer.from(`${String.fromCharCode(types.length)}${types}\0`, "latin1");
const textValue = (text: string) => Buffer.concat([number(Buffer.byteLength(text)), Buffer.from(`${text}\0`)]);
const aligned = (bytes: Buffer, to: number) => Buffer.concat([bytes, Buffer.alloc((to - (bytes.length % to)) % to)]);

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

const HELLO = callMessage({
  serial: 1,
  destination: BUS,
  path: "/org/freedesktop/DBus",
  interface: BUS,
  member: "Hello",
});
/** The answer is not read, and may be an error: if nobody provides the service, the bus itself answers. */
const QUESTION = callMessage({
  serial: 2,
  destination: SERVICE,
  path: "/org/freedesktop/secrets",
  interface: "org.freedesktop.DBus.Properties",
  member: "Get",
  texts: ["org.freedesktop.Secret.Service", "Collections"],
});
