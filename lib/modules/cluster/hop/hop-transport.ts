import type { ClientHttp2Stream } from "node:http2";
import { systemClock } from "../../../core/base/clock.ts";
import { FAULTS, Fault, type FaultCode, reasonOf } from "../../../core/base/fault.ts";
import { LineOutbox } from "../../../core/base/line-outbox.ts";
import { OwnerLost, ProcessMoved, UpstreamError } from "../../../core/upstream/errors.ts";
import { LineSplitter } from "../../../core/upstream/stdio/line-splitter.ts";
import { OutputThrottle } from "../../../core/upstream/stdio/throttle.ts";
import type { OutgoingRequest, OutgoingText, Transport, TransportReceiver } from "../../../core/upstream/transport.ts";
import { encodeCaller } from "./hop-caller.ts";
import { noteLine, type OwnerNote, readNote } from "./hop-protocol.ts";

interface HopTransportOptions {
  readonly receiver: TransportReceiver;
  /** The replica at the other end. */
  readonly replica: string;
}

/** Maximum number of bytes that may wait for a replica that does not read; further messages are rejected. */
const MAX_UNREAD_BYTES = 16 * 1024 * 1024;

/** Opens a transport to a process that another replica runs. */
export const openHopTransport = (stream: ClientHttp2Stream, options: HopTransportOptions): Transport =>
  new HopTransport(stream, options);

class HopTransport implements Transport {
  readonly kind = "stdio";
  private readonly stream: ClientHttp2Stream;
  private readonly outbox: LineOutbox;
  private readonly receiver: TransportReceiver;
  private readonly replica: string;
  private carrier: number | undefined;
  private over = false;
  /** Requests that wait for the next owner; undefined while this one accepts requests. */
  private held: Set<number> | undefined;

  constructor(stream: ClientHttp2Stream, { receiver, replica }: HopTransportOptions) {
    this.stream = stream;
    this.receiver = receiver;
    this.replica = replica;
    this.outbox = new LineOutbox(stream);
    this.readLines();
    stream.on("error", (error) => this.lost(reasonOf(error)));
    stream.once("close", () => this.lost("the connection was closed"));
  }

  send(text: OutgoingText, request?: OutgoingRequest): void {
    if (this.held && request && !this.over) {
      this.held.add(request.id);
      return;
    }
    const unread = this.stream.writableLength + this.outbox.waiting;
    const size = typeof text === "string" ? text.length : text.sizeBytes;
    if (this.over || (unread > 0 && unread + size > MAX_UNREAD_BYTES)) {
      const reason = `the replica ${this.replica}, which runs it, does not read (${unread} bytes pending)`;
      if (request) this.receiver.failed(request.id, new UpstreamError(reason));
      return;
    }
    if (request?.caller) this.outbox.write(noteLine({ for: request.id, caller: encodeCaller(request.caller) }));
    if (typeof text === "string") this.outbox.write(`${text}\n`);
    else {
      for (const piece of text.pieces) this.outbox.write(piece);
      this.outbox.write("\n");
    }
  }

  forget(id: number): void {
    this.held?.delete(id);
  }

  agree(): void {}

  async listen(): Promise<boolean> {
    return true;
  }

  async close(): Promise<void> {
    this.over = true;
    this.stream.close();
  }

  private readLines(): void {
    const { receiver, stream } = this;
    const gate = new OutputThrottle(systemClock, stream);
    const lines = new LineSplitter({
      line: (line) => {
        if (this.takeNote(line)) return;
        const { carrier } = this;
        this.carrier = undefined;
        const read = receiver.message(line, carrier);
        if (!read) gate.tick();
        else if (read !== true) gate.holdUntil(read);
      },
      tooLong: (head, tail, bytes) => receiver.tooLong(head, tail, bytes),
    });
    stream.on("data", (chunk: Buffer) => lines.feed(chunk));
  }

  /** Handles a note. @returns false if the line is a message */
  private takeNote(line: string): boolean {
    try {
      const note = readNote(line);
      if (note === undefined) return false;
      this.take(note as OwnerNote);
    } catch (error) {
      this.lost(reasonOf(error));
    }
    return true;
  }

  private take(note: OwnerNote): void {
    if ("carrier" in note) this.carrier = note.carrier;
    else if ("failed" in note) this.receiver.failed(note.failed, errorOf(note));
    else if ("leaving" in note) this.held ??= new Set();
    else if ("refused" in note) this.held?.add(note.refused);
    else this.lost(note.ended);
  }

  private lost(reason: string): void {
    if (this.over) return;
    this.over = true;
    this.stream.destroy();
    const moved = new ProcessMoved(`the replica ${this.replica} has ended, and another one runs it soon`);
    for (const id of this.held ?? []) this.receiver.failed(id, moved);
    this.receiver.closed(
      new OwnerLost(
        `the replica ${this.replica}, which ran it, has ended its process or cannot be reached (${reason}); a call under way may have been carried out`,
      ),
    );
  }
}

/** Returns the error of the owner, with its code if this program knows it. */
function errorOf({ code, facts, text }: Extract<OwnerNote, { failed: number }>): Error {
  if (!Object.hasOwn(FAULTS, code)) return new UpstreamError(text);
  return Reflect.construct(Fault, [code as FaultCode, facts]) as Fault;
}
