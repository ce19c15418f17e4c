import type { App } from "../app.ts";
import { Fault } from "../base/fault.ts";
import { isJsonObject } from "../base/json-object.ts";
import { uriMap } from "../catalog/uri-map.ts";
import { type ForwardedRequest, withForwarded } from "../gateway/forwarded-request.ts";
import { mapReplyUris, unmapArguments } from "../gateway/map-reply-uris.ts";
import { type ItemRequest, requestItem } from "../gateway/request-item.ts";
import { ownerKey } from "../schema/caller.ts";
import type { ItemRow, ListedKind } from "../schema/item.ts";
import { type McpObject, type Reply, RpcError, type RpcId } from "../schema/mcp.ts";
import { memberText } from "../upstream/protocol/member-text.ts";
import type { StatelessClients } from "../verbs/sessions/stateless.ts";
import { actorOf } from "./actor-of.ts";
import { findNamedItem, findResource } from "./find-resource.ts";
import { itemError, resourceNotFound, saysMissing } from "./item-errors.ts";
import { keysetPage } from "./keyset-page.ts";
import { listCursor, readListCursor } from "./list-cursors.ts";
import { listMeta, withMeta } from "./list-meta.ts";
import type { MessageText } from "./message-text.ts";
import type { McpRequest } from "./protocol-methods.ts";
import type { QuestionRouter } from "./question-router.ts";
import { readForwardedRequest } from "./read-forwarded-request.ts";
import type { RequestContext } from "./request-context.ts";
import { completedResult, type ServerInfo } from "./result.ts";
import { invalidParams, rpcErrorText, rpcResultText } from "./rpc.ts";
import { sealedStates } from "./sealed-states.ts";
import { shownItems } from "./shown-items.ts";

/**
 * The methods about prompts, resources and completion, for all protocol versions and modes.
 *
 * @returns undefined for any other method; a promise of undefined if the request was cancelled
 */
export type ItemMethods = (turn: RequestContext, request: McpRequest) => Promise<MessageText | undefined> | undefined;

/** How long a 2026-07-28 client may use its copy of a list. (ms) */
const LIST_TTL_MS = 30_000;

/** Maximum time for which a client may use its copy of a resource, whatever the server allows. (ms) */
const MAX_READ_TTL_MS = 300_000;

/** Maximum length of a name or URI. (characters) */
const MAX_NAME = 8192;

const LISTS: Readonly<Record<string, { kind: ListedKind; member: string }>> = {
  "prompts/list": { kind: "prompt", member: "prompts" },
  "resources/list": { kind: "resource", member: "resources" },
  "resources/templates/list": { kind: "template", member: "resourceTemplates" },
};

/** A request to an upstream, and how its response is converted for the client. */
interface Routed {
  readonly request: Pick<ItemRequest, "kind" | "server" | "name" | "method" | "params">;
  /** The name or URI that the client sent. */
  readonly asked: string;
  /** Replaces the URIs in the response by those that the client uses. */
  readonly mapped: (reply: Reply<McpObject>) => Reply<McpObject> | Promise<Reply<McpObject>>;
}

interface ItemMethodParts {
  readonly app: App;
  readonly info: ServerInfo;
  readonly stateless: StatelessClients;
  readonly questions: QuestionRouter;
}

export function createItemMethods({ app, info, stateless, questions }: ItemMethodParts): ItemMethods {
  const list = async (turn: RequestContext, id: RpcId, kind: ListedKind, member: string, cursor: unknown) => {
    const { caller } = turn.requester;
    const { entries, tag } = await shownItems(app, caller, kind);
    if (turn.session) turn.session.knownItems = { ...turn.session.knownItems, [kind]: tag };
    const binding = { list: kind, owner: ownerKey(caller) };
    const after = cursor === undefined ? undefined : await readListCursor(app.part(sealedStates), binding, cursor);
    const { texts, lastKey } = keysetPage(entries, after);
    const next =
      lastKey === undefined ? "" : `,"nextCursor":"${await listCursor(app.part(sealedStates), binding, lastKey)}"`;
    const page = `"${member}":[${texts.join(",")}]${next}}`;
    const { meta } = cursor === undefined ? await listMeta(app, caller) : {};
    if (!turn.envelope) return rpcResultText(id, withMeta(`{${page}`, meta));
    return rpcResultText(id, completedResult(`{"ttlMs":${LIST_TTL_MS},"cacheScope":"private",${page}`, info, meta));
  };

  const routePrompt = async ({ requester }: RequestContext, { name, arguments: args }: McpObject): Promise<Routed> => {
    if (!isName(name)) throw refusal("name must be a string");
    if (args !== undefined && !(isJsonObject(args) && Object.values(args).every((one) => typeof one === "string")))
      throw refusal("arguments must be an object of strings");
    const { caller } = requester;
    const row = await findNamedItem(app, caller, "prompt", name);
    if (!row) throw refusal(`unknown prompt: ${name.slice(0, 200)}`);
    const { server } = row;
    const { map, unmap } = uriMap(server);
    const params = { name: row.name, ...(args && { arguments: await unmapArguments(args, unmap) }) };
    const mapped = (reply: Reply<McpObject>) => withUris(reply, "prompts/get", map);
    return { request: { kind: "prompt", server, name: row.name, method: "prompts/get", params }, asked: name, mapped };
  };

  const routeRead = async (turn: RequestContext, { uri: asked }: McpObject): Promise<Routed> => {
    if (!isName(asked)) throw refusal("uri must be a string");
    const found = await findResource(app, turn.requester.caller, asked);
    if (!found) throw resourceNotFound(turn, asked);
    if ("choices" in found) throw refusal(`several servers have this resource; use one of ${found.choices.join(", ")}`);
    const { server, uri, isPlain } = found;
    const { map } = uriMap(server);
    return {
      request: { kind: "resource", server, name: uri, method: "resources/read", params: { uri } },
      asked,
      mapped: async (reply) => readReply(turn, isPlain ? reply : await withUris(reply, "resources/read", map)),
    };
  };

  /** @returns undefined if the server does not offer completions */
  const routeCompletion = async (turn: RequestContext, params: McpObject): Promise<Routed | undefined> => {
    const { ref, argument, context } = params;
    if (!isJsonObject(argument) || typeof argument.name !== "string" || typeof argument.value !== "string")
      throw refusal("argument must be an object with name and value");
    if (!isJsonObject(ref)) throw refusal("ref must be an object");
    const { row, asked, kind } = await referenced(turn, ref);
    if (!app.upstreams.get(row.server)?.capabilities?.completions) return undefined;
    const own = kind === "prompt" ? { ...ref, name: row.name } : { ...ref, uri: row.name };
    const given = context === undefined ? {} : { context: await unmapArguments(context, uriMap(row.server).unmap) };
    const request = { kind, server: row.server, name: row.name, method: "completion/complete" } as const;
    return { request: { ...request, params: { ref: own, argument, ...given } }, asked, mapped: (reply) => reply };
  };

  const referenced = async (
    { requester }: RequestContext,
    { type, name, uri }: McpObject,
  ): Promise<{ row: ItemRow; asked: string; kind: ListedKind }> => {
    const { caller } = requester;
    if (type === "ref/prompt" && isName(name)) {
      const row = await findNamedItem(app, caller, "prompt", name);
      if (row) return { row, asked: name, kind: "prompt" };
    } else if (type === "ref/resource" && isName(uri)) {
      const row = await findNamedItem(app, caller, "template", uri);
      if (row) return { row, asked: uri, kind: "template" };
    }
    throw refusal("ref does not name a known prompt or resource template");
  };

  const relay = async (turn: RequestContext, id: RpcId, method: string, params: McpObject, routed: Routed) => {
    const { session, abort, envelope } = turn;
    const { request, asked, mapped } = routed;
    const running = envelope ? turn.running : session?.running;
    const by = actorOf(app, turn, stateless);
    const attempt = async (forwarded: ForwardedRequest) => {
      const wanted = withForwarded(forwarded, { ...request, signal: abort.signal });
      const reply = await requestItem(app, by, wanted).catch((error: unknown) => {
        throw method === "resources/read" && saysMissing(error) ? resourceNotFound(turn, asked) : error;
      });
      turn.passedThrough = true;
      return { passthrough: await mapped(reply), id: `${request.server}:${request.name}` };
    };
    running?.set(id, abort);
    try {
      const meta = isJsonObject(params._meta) ? params._meta : undefined;
      const forwarded = readForwardedRequest(turn, meta);
      const asks = { turn, name: `${method} ${asked}`, args: request.params, params };
      // Completions are requested at each key that a person presses, so the client is never asked questions for them.
      const text =
        method === "completion/complete"
          ? await questions.textOf(asks, await attempt(forwarded))
          : await questions.make(asks, forwarded, attempt);
      return text === undefined ? undefined : rpcResultText(id, text);
    } finally {
      if (running?.get(id) === abort) running.delete(id);
    }
  };

  const answer = async (turn: RequestContext, { id, method, params }: McpRequest): Promise<string | undefined> => {
    const listed = Object.hasOwn(LISTS, method) ? LISTS[method] : undefined;
    if (listed) return list(turn, id, listed.kind, listed.member, params.cursor);
    if (method === "prompts/get") return relay(turn, id, method, params, await routePrompt(turn, params));
    if (method === "resources/read") return relay(turn, id, method, params, await routeRead(turn, params));
    const routed = await routeCompletion(turn, params);
    if (routed) return relay(turn, id, method, params, routed);
    const none = '{"completion":{"values":[],"total":0,"hasMore":false}}';
    return rpcResultText(id, turn.envelope ? completedResult(none, info) : none);
  };

  return (turn, request) => {
    if (!METHODS.has(request.method)) return undefined;
    return answer(turn, request).catch((error: unknown) => {
      const { reason, aborted } = turn.abort.signal;
      // A client that cancelled or disconnected gets no response. If the proxy ended the request, it gets the reason.
      if (aborted && !(reason instanceof Fault)) return undefined;
      return rpcErrorText(request.id, itemError(app, turn, request, aborted ? reason : error));
    });
  };
}

const METHODS: ReadonlySet<string> = new Set([
  ...Object.keys(LISTS),
  "prompts/get",
  "resources/read",
  "completion/complete",
]);

function withUris(reply: Reply<McpObject>, method: "prompts/get" | "resources/read", map: (uri: string) => string) {
  // The result has another form; the code that sends it to the client handles that.
  if (!isJsonObject(reply.result) || reply.result.resultType === "input_required") return reply;
  // A client can fetch the URL of a web page by itself.
  const change = (uri: string) => (method === "prompts/get" && /^https?:/i.test(uri) ? uri : map(uri));
  return mapReplyUris(method, reply, change);
}

/**
 * Returns the result of a read for a 2026-07-28 client. It may not be cached for longer than its server allows, and
 * only for this caller, because access depends on the caller.
 */
function readReply({ envelope }: RequestContext, reply: Reply<McpObject>): Reply<McpObject> {
  const { result, raw } = reply;
  if (!envelope || !isJsonObject(result) || (result.resultType ?? "complete") !== "complete") return reply;
  const { ttlMs } = result;
  const fresh = typeof ttlMs === "number" && ttlMs > 0 ? Math.min(ttlMs, MAX_READ_TTL_MS) : 0;
  const meta = memberText(raw, "_meta");
  const head = `"ttlMs":${fresh},"cacheScope":"private","contents":${memberText(raw, "contents") ?? "[]"}`;
  return {
    result: { ...result, resultType: undefined },
    raw: `{${head}${meta === undefined ? "" : `,"_meta":${meta}`}}`,
  };
}

function isName(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.length <= MAX_NAME;
}

function refusal(reason: string): RpcError {
  return new RpcError(invalidParams(reason));
}
