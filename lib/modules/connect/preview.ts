import { existsSync } from "node:fs";
import type { InferOutput } from "valibot";
import type { App } from "../../core/app.ts";
import type { JsonObject } from "../../core/base/json-object.ts";
import type { PreviewShape } from "../../core/schema/connect-shapes.ts";
import { scrubText } from "../../core/secrets/mask/text.ts";
import { certFiles, certsDir } from "../tls/files.ts";
import { put } from "./edit.ts";
import { entryDiff } from "./entry-diff.ts";
import { addressOf, type ConnectPlan, connectPlan } from "./plan.ts";
import { envNamesIn } from "./shape.ts";
import { plainAddress } from "./status.ts";
import { clientOf } from "./target.ts";
import { preconditionToken } from "./token.ts";

/** Summary of an existing entry: names without values. */
type EntrySummary = NonNullable<Preview["existing_entry_summary"]>;

/** The result of a preview (spec 000 §2.7). */
type Preview = InferOutput<typeof PreviewShape>;

/**
 * Shows what a connect would write; writes nothing, not even a backup. @throws Fault no_such_record, connect_denied,
 * invalid_request
 */
export async function preview(app: App, id: string, name: string): Promise<Preview> {
  const plan = await connectPlan(app, clientOf(id), name);
  const { client, path, text, document, existing, raw, needsCredential, refusal } = plan;
  const changes = !refusal && put(client, text, plan.name, raw) !== text;
  const note = [noteOf(plan), byTls(app)].filter((part) => part !== "").join("; ");
  return {
    client: client.id,
    config_path: path,
    format: client.format === "jsonc" ? "json" : client.format,
    server_key: client.at(document).join("."),
    server_name: plan.name,
    entry: raw,
    entry_text: put(client, "", plan.name, raw).trimEnd(),
    contains_api_key: needsCredential,
    credential: needsCredential ? "agent_token" : "none",
    entry_exists: existing !== undefined,
    ...(existing && { existing_entry_summary: summaryOf(app, plan, existing) }),
    diff: changes ? entryDiff(client, plan.name, existing, raw) : "",
    precondition_token: preconditionToken(app, plan),
    ...(refusal && { connect_refusal: refusal.message }),
    ...(note !== "" && { note }),
  };
}

const SIGNS_IN =
  "the entry contains no token: the client opens the browser when it first connects, and you choose there what it may do";

function noteOf({ client, needsCredential, signsIn, secret, found }: ConnectPlan): string {
  if (signsIn) return [client.note, SIGNS_IN].filter((part) => part !== undefined).join("; ");
  const credential =
    secret !== undefined
      ? "the agent token in the entry stays"
      : "the proxy creates an agent token for this client and writes it into the entry: it can call tools and change nothing else, expires after 365 days, and is revoked when the client is disconnected";
  const mode = found.state === "file" && process.platform !== "win32" ? found.mode : 0;
  const open = `other users of this machine can read the file (mode ${mode.toString(8)})`;
  const parts = needsCredential ? [client.note, credential, ...((mode & 0o044) !== 0 ? [open] : [])] : [client.note];
  return parts.filter((part) => part !== undefined).join("; ");
}

/**
 * Advice about the setting that a client needs to trust the listener's certificate, if a private authority issued it.
 */
function byTls(app: App): string {
  const { enabled, require_client_cert } = app.config.current().tls;
  const { ca } = certFiles(certsDir(app));
  if (!enabled || !existsSync(ca)) return "";
  const trust = `the client must trust ${ca}: proxy trust-cert, or NODE_EXTRA_CA_CERTS for a Node client`;
  return require_client_cert ? `${trust}; it must also present a client certificate: proxy client-cert` : trust;
}

function summaryOf(app: App, { client, name }: ConnectPlan, raw: JsonObject): EntrySummary {
  const entry = client.shape.read(raw);
  if (!entry) return { entry_name: name };
  const { reach } = entry;
  const address = addressOf(app, reach);
  const envNames = reach.kind === "stdio" ? Object.keys(reach.env) : envNamesIn(raw);
  const endpoint = address === undefined ? undefined : plainAddress(address);
  return {
    entry_name: name,
    type: reach.kind,
    // A path can contain a secret, as a query can.
    ...(endpoint !== undefined && { endpoint: scrubText(endpoint) }),
    ...(reach.kind === "stdio" ? { command: scrubText(reach.command) } : { header_names: Object.keys(reach.headers) }),
    ...((reach.kind === "stdio" || envNames.length > 0) && { env_names: envNames }),
  };
}
