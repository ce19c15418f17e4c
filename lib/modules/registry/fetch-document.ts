import { fileURLToPath } from "node:url";
import type { App } from "../../core/app.ts";
import { reasonOf } from "../../core/base/fault.ts";
import { readBoundedFile } from "../../core/base/file.ts";
import { parseJson } from "../../core/base/parse-json.ts";
import { readProblem } from "../../core/base/read-problem.ts";
import { REFERENCE_LIST } from "./builtin.ts";
import { Fault } from "./faults.ts";
import type { Source } from "./source.ts";

/** Timeouts of one page, and of one attempt (ms). */
const PAGE_MS = 15_000;
/** Waits between attempts (ms). */
const RETRIES_MS = [250, 1000];
/** Largest page that is read (bytes). */
const PAGE_BYTES = 4 * 1024 * 1024;
/** Largest file that is read (bytes). */
const FILE_BYTES = 16 * 1024 * 1024;

/**
 * Fetches one JSON document of a registry: by guarded fetch, from a local file, or from the program itself.
 *
 * @throws Fault registry_unavailable if it cannot be reached, registry_source_unusable if the response is not JSON
 */
export async function fetchDocument(app: App, source: Source, url: URL, signal: AbortSignal): Promise<unknown> {
  if (url.protocol === "builtin:") return REFERENCE_LIST;
  const text = url.protocol === "file:" ? await fileText(source, url) : await answer(app, source, url, signal);
  try {
    return parseJson(text, { values: Number.POSITIVE_INFINITY });
  } catch (error) {
    throw unusable(source, `its response is not JSON (${reasonOf(error).slice(0, 200)})`, error);
  }
}

/** The error for a registry whose response the proxy cannot use. */
export const unusable = ({ id }: Pick<Source, "id">, reason: string, cause?: unknown) =>
  new Fault("registry_source_unusable", { registry: id, reason }, { cause });

const unavailable = ({ id }: Pick<Source, "id">, reason: string, cause?: unknown) =>
  new Fault("registry_unavailable", { registry: id, reason }, { cause });

async function fileText(source: Source, url: URL): Promise<string> {
  const path = fileURLToPath(url);
  try {
    return (await readBoundedFile(path, FILE_BYTES)).bytes.toString("utf8");
  } catch (error) {
    throw unavailable(source, readProblem(path, error), error);
  }
}

async function answer(app: App, source: Source, url: URL, signal: AbortSignal): Promise<string> {
  const headers = { accept: "application/json", ...(await keyOf(app, source)) };
  const allow = app.config.current().allow_private_registry_fetch ? [new URL(source.serversUrl).host] : [];
  for (let round = 0; ; round++) {
    const wait = RETRIES_MS[round];
    try {
      const { status, text } = await app.egress.fetch(url, {
        signal,
        headers,
        allow,
        timeoutMs: PAGE_MS,
        maxBytes: PAGE_BYTES,
        // A key is only sent to the host for which it was configured.
        redirects: headers.authorization === undefined ? 3 : 0,
      });
      if (status >= 200 && status < 300) return text;
      if (status === 401 || status === 403)
        throw unavailable(source, `it requires a key (status ${status}); set api_key for it in the configuration`);
      if (status < 500 || wait === undefined) throw unavailable(source, `it responded with status ${status}`);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof Fault && error.code === "registry_unavailable") throw error;
      const again = error instanceof Fault && error.code === "fetch_failed" && error.facts.failure !== "too_large";
      if (!again || wait === undefined) throw unavailable(source, reasonOf(error), error);
    }
    await app.clock.sleep(wait, signal);
  }
}

/**
 * The key of a registry: from its configuration, or else `SERVICE_REGISTRY_<ID>_API_KEY`.
 *
 * @throws Fault registry_unavailable if it needs a key and none is set
 */
async function keyOf(app: App, source: Source): Promise<{ authorization?: string }> {
  const { id, apiKey, requiresKey } = source;
  const variable = `SERVICE_REGISTRY_${id.toUpperCase().replaceAll(/[^A-Z0-9]/g, "_")}_API_KEY`;
  try {
    return { authorization: `Bearer ${await app.secrets.resolve(apiKey ?? `\${env:${variable}}`)}` };
  } catch (error) {
    if (apiKey === undefined && !requiresKey) return {};
    const reason =
      apiKey === undefined
        ? `it requires a key; set ${variable}, or api_key for it in the configuration`
        : reasonOf(error);
    throw unavailable(source, reason, error);
  }
}
