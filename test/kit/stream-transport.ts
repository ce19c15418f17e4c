import type { Readable, Writable } from "node:stream";
import type { Client } from "@modelcontextprotocol/client";
import { until } from "./until.ts";

type Transport = Parameters<Client["connect"]>[0];
// biome-ignore lint/suspicious/noExplicitAny: tests read members of all kinds of messages
type Message = any;

/** A pair of streams to a proxy in this process, for the official client: one message a line. */
export function streamTransport({ input, output }: { input: Writable; output: Readable }): Transport {
  let rest = "";
  const transport: Transport = {
    async start() {
      output.on("data", (chunk) => {
        const lines = `${rest}${chunk}`.split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) transport.onmessage?.(JSON.parse(line));
      });
    },
    async send(message) {
      input.write(`${JSON.stringify(message)}\n`);
    },
    async close() {
      input.end();
      transport.onclose?.();
    },
  };
  return transport;
}

/** The same for raw messages, texts as they are. */
export function rawStream({ input, output }: { input: Writable; output: Readable }) {
  let text = "";
  output.on("data", (chunk) => {
    text += chunk;
  });
  const messages = (): Message[] =>
    text
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  return {
    messages,
    send: (message: unknown) =>
      void input.write(`${typeof message === "string" ? message : JSON.stringify(message)}\n`),
    /** The answer to a request, once it has come. */
    async answer(id: unknown): Promise<Message> {
      const isAnswer = (m: Message) => m.id === id && m.method === undefined;
      await until(`the answer to ${id}`, () => messages().some(isAnswer));
      return messages().find(isAnswer);
    },
  };
}
