import { realpathSync } from "node:fs";
import { dirname, isAbsolute, join, resolve, sep } from "node:path";

/** Paths that no isolated server may get; the same holds for every folder that contains one. */
export interface Guarded {
  /** The proxy's data directory: configuration, keys, records. */
  readonly dataDir: string;
  /** Home folder of the user who runs the proxy. */
  readonly home: string;
  /** Sockets of container engines: access to one gives control of the machine. */
  readonly sockets: readonly string[];
}

/** Folders of the kernel. */
const KERNEL = ["/proc", "/sys", "/dev"];

/**
 * Why sharing a folder with a server would break its isolation; undefined if it would not. Symbolic links are resolved
 * first.
 *
 * @param path absolute
 */
export function isolationBreach(path: string, { dataDir, home, sockets }: Guarded): string | undefined {
  if (!isAbsolute(path)) return "is not an absolute path";
  const real = realPathOf(path);
  const holds = (inner: string) => isWithin(realPathOf(inner), real);
  if (dirname(real) === real) return "is the whole machine";
  if (holds(home)) return "is or contains the home of the proxy's user; name a folder inside it";
  if (sockets.some(holds)) return "would expose the container engine";
  if (holds(dataDir) || isWithin(real, realPathOf(dataDir))) return "would expose the proxy's data";
  if (KERNEL.some((place) => isWithin(real, place))) return "belongs to the kernel";
  return undefined;
}

/** True if a path is the folder or lies in it. Both must be absolute and without symbolic links. */
export const isWithin = (path: string, folder: string) =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

/** Resolves the symbolic links of a path as far as it exists. */
export function realPathOf(path: string): string {
  const whole = resolve(path);
  try {
    return realpathSync(whole);
  } catch {
    const above = dirname(whole);
    return above === whole ? whole : join(realPathOf(above), whole.slice(above.length));
  }
}
