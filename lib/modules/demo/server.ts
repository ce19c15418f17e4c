import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { type Clock, systemClock } from "../../core/base/clock.ts";
import { reasonOf } from "../../core/base/fault.ts";
import { type McpObject, type Progress, REVISIONS_2025, RPC, RpcError, type RpcId } from "../../core/schema/mcp.ts";
import { demoItems } from "./items.ts";
import { notebook } from "./notebook.ts";
import type { DemoTool } from "./tool.ts";
import { demoTools } from "./tools.ts";

interface DemoOptions {
  input: Readable;
  output: Writable;
  version: string;
  clock?: Clock;
}

/**
 * A small MCP server over standard streams, with one JSON-RPC message per line. It lets people try the proxy on a
 * machine without other MCP servers.
 *
 * @returns after the input ended and every running call was stopped
 */
export async function serveDemo({ input, output, version, clock = systemClock }: DemoOptions): Promise<void> {
  const notes = notebook();
  const tools = new Map([...notes.tools, ...demoTools()].map((t) => [t.name, t]));
  const items = demoItems(notes);
  const running = new Map<RpcId, AbortController>();
  const send = (message: McpObject) => void output.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

  async function answer(id: RpcId, method: string, params: McpObject): Promise<void> {
    const stop = new AbortController();
    running.set(id, stop);
    try {
      const result = await dispatch(method, params, stop.signal);
      // A cancelled request gets no response (MCP, cancellation).
      if (!stop.signal.aborted) send({ id, result });
    } catch (error) {
      const known = error instanceof RpcError;
      send({ id, error: { code: known ? error.code : RPC.internal, message: reasonOf(error) } });
    } finally {
      running.delete(id);
    }
  }

  async function dispatch(method: string, params: McpObject, signal: AbortSignal): Promise<unknown> {
    switch (method) {
      case "initialize":
        return welcome(params, version);
      case "ping":
        return {};
      case "tools/list":
        return { tools: [...tools.values()].map((t) => t.listed) };
      case "tools/call":
        return callTool(params, signal);
      default: {
        const item = Object.hasOwn(items, method) ? items[method] : undefined;
        if (!item) throw new RpcError({ code: RPC.methodNotFound, message: `unknown method: ${method}` });
        return item(params);
      }
    }
  }

  async function callTool(params: McpObject, signal: AbortSignal): Promise<McpObject> {
    const tool = tools.get(String(params.name));
    if (!tool) throw new RpcError({ code: RPC.invalidParams, message: `unknown tool: ${String(params.name)}` });
    const token = (params._meta as McpObject | undefined)?.progressToken;
    const progress = (p: Progress) => {
      if (token === undefined || signal.aborted) return;
      send({ method: "notifications/progress", params: { progressToken: token, ...p } });
    };
    return result(tool, params.arguments ?? {}, { clock, signal, progress });
  }

  function receive(line: string): void {
    if (line.trim() === "") return;
    const message = parse(line);
    if (!message) {
      send({ id: null, error: { code: RPC.parse, message: "expected one JSON-RPC message per line" } });
      return;
    }
    const { id, method } = message;
    const params = (message.params ?? {}) as McpObject;
    if (typeof method !== "string") return;
    if (method === "notifications/cancelled") running.get(params.requestId as RpcId)?.abort();
    else if (typeof id === "string" || typeof id === "number") void answer(id, method, params);
  }

  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) receive(line);
  for (const stop of running.values()) stop.abort();
}

function welcome(params: McpObject, version: string): McpObject {
  const supported = REVISIONS_2025.find((r) => r === params.protocolVersion);
  return {
    protocolVersion: supported ?? REVISIONS_2025[0],
    capabilities: { tools: {}, prompts: {}, resources: {} },
    serverInfo: { name: "proxy-demo", title: "Demo server", version },
    instructions: "A notebook, a calculator, a clock and a few more tools to try the proxy with.",
  };
}

async function result(tool: DemoTool, input: unknown, call: Parameters<DemoTool["run"]>[1]): Promise<McpObject> {
  try {
    const value = await tool.run(input, call);
    if (typeof value === "string") return { content: [{ type: "text", text: value }] };
    return { content: [{ type: "text", text: JSON.stringify(value) }], structuredContent: value };
  } catch (error) {
    return { content: [{ type: "text", text: reasonOf(error) }], isError: true };
  }
}

function parse(line: string): McpObject | undefined {
  try {
    const message: unknown = JSON.parse(line);
    return typeof message === "object" && message !== null && !Array.isArray(message)
      ? (message as McpObject)
      : undefined;
  } catch {
    return undefined;
  }
}
