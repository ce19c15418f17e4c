import { type EngineApi, EngineError } from "./container/api.ts";
import { qualifiedImage } from "./runtime.ts";

/** The reference of an image: `name`, `host:5000/name:tag`, `name@sha256:…`. */
const REFERENCE = /^[a-z0-9][\w./:@-]{0,300}$/i;

interface Wanted {
  readonly image: string;
  readonly registry: string;
  /** A platform such as `linux/arm64`; by default that of the machine. */
  readonly platform?: string | undefined;
  readonly signal: AbortSignal;
  /** Called with the engine's messages during the download. */
  readonly onLine: (line: string) => void;
  /** Downloads in progress (`Engine.fetching`), so that servers with the same image share one download. */
  readonly fetching: Map<string, Promise<void>>;
}

/**
 * Ensures that the engine has an image, under the given name or the complete one, and downloads it if not.
 *
 * @returns the name to use
 * @throws EngineError with the image and the remedy
 */
export async function ensureImage(
  api: EngineApi,
  { image, registry, platform, signal, onLine, fetching }: Wanted,
): Promise<string> {
  if (!REFERENCE.test(image)) throw new EngineError(`image ${JSON.stringify(image)} is not a valid image name`);
  const qualifiedName = qualifiedImage(image, registry);
  for (const name of new Set([image, qualifiedName])) if (await has(api, name, signal)) return name;
  onLine(`fetching image ${qualifiedName}`);
  let going = fetching.get(qualifiedName);
  if (!going) {
    going = fetch(api, qualifiedName, { platform, signal, onLine }).finally(() => fetching.delete(qualifiedName));
    fetching.set(qualifiedName, going);
  }
  await going;
  return qualifiedName;
}

async function has(api: EngineApi, name: string, signal: AbortSignal): Promise<boolean> {
  try {
    await api.ask("GET", `/images/${name}/json`, { signal });
    return true;
  } catch (error) {
    if (error instanceof EngineError && error.status === 404) return false;
    throw error;
  }
}

/** The query parameter for the platform. */
export const platformQuery = (platform: string | undefined) =>
  platform === undefined ? "" : `&platform=${encodeURIComponent(platform)}`;

async function fetch(
  api: EngineApi,
  name: string,
  { platform, signal, onLine }: Pick<Wanted, "platform" | "signal" | "onLine">,
): Promise<void> {
  let failure: string | undefined;
  let last = "";
  const line = (text: string) => {
    const status = statusIn(text);
    failure = status.error ?? failure;
    if (status.status && status.status !== last) onLine(`image ${name}: ${status.status}`);
    last = status.status ?? last;
  };
  const tagged = /[:@][^/]*$/.test(name) ? name : `${name}:latest`;
  try {
    const query = `fromImage=${encodeURIComponent(tagged)}${platformQuery(platform)}`;
    await api.ask("POST", `/images/create?${query}`, { signal, onLine: line });
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    failure = error.message;
  }
  if (failure !== undefined)
    throw new EngineError(`image ${name} could not be fetched: ${failure}; pull it manually, or set isolation.image`);
}

function statusIn(text: string): { status?: string; error?: string } {
  try {
    const { status, error } = JSON.parse(text) as { status?: unknown; error?: unknown };
    return {
      ...(typeof status === "string" && { status: status.slice(0, 200) }),
      ...(typeof error === "string" && { error: error.slice(0, 500) }),
    };
  } catch {
    return {};
  }
}
