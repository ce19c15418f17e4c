import { realpathSync } from "node:fs";
import { dirname, isAbsolute, join, resolve, sep } from "node:path";

/** What of this machine no kept-apart server may be given, and so no folder that holds it. */
export interface Guarded {
  /** The proxy's own: configuration, keys, records. */
  readonly dataDir: string;
  /** Of the person who runs the proxy. */
  readonly home: string;
  /** Sockets of container engines: whoever may speak to one has the whole machine. */
  readonly sockets: readonly string[];
}

/** Places of the kernel's own. */
const KERNEL = ["/proc", "/sys", "/dev"];

/**
 * Why sharing a folder with a server would undo its isolation; undefined where it would not. Links are followed: a
 * folder counts as what it leads to.
 *
 * @param path absolute
 */
export function isolationBreach(path: string, { dataDir, home, sockets }: Guarded): string | undefined {
  if (!isAbsolute(path)) return "is not an absolute path";
  const real = realPathOf(path);
  const holds = (inner: string) => within(realPathOf(inner), real);
  if (dirname(real) === real) return "is the whole machine";
  if (holds(home)) return "is or contains the home of the proxy's user; name a folder inside it";
  if (sockets.some(holds)) return "would expose the container engine";
  if (holds(dataDir) || within(real, realPathOf(dataDir))) return "would expose the proxy's data";
  if (KERNEL.some((place) => within(real, place))) return "belongs to the kernel";
  return undefined;
}

export const within = (path: string, folder: string) =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

/** A path with its links followed as far as it exists. */
export function realPathOf(path: string): string {
  const whole = resolve(path);
  try {
    return realpathSync(whole);
  } catch {
    const above = dirname(whole);
    return above === whole ? whole : join(realPathOf(above), whole.slice(above.length));
  }
}
