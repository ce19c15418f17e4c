/** Maximum number of processes and threads of one server: enough for a browser under test, too few for a fork bomb. */
export const MAX_ISOLATED_PROCESSES = 512;

/** The message for a server that exceeded its memory limit. */
export const OUT_OF_MEMORY = "was ended: it used more memory than memory_limit allows";

const UNITS: Readonly<Record<string, number>> = { "": 1, b: 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30 };

/** Parses an amount of memory such as `512m`, `1g` or `1073741824` to bytes; undefined for any other text. */
export function parseMemoryLimit(text: string): number | undefined {
  const found = /^(\d+(?:\.\d+)?)\s*([bkmg]?)b?$/i.exec(text.trim());
  if (!found) return undefined;
  const bytes = Math.round(Number(found[1]) * UNITS[found[2]!.toLowerCase()]!);
  return bytes >= 6 * 2 ** 20 ? bytes : undefined;
}

/** Parses a number of processors such as `1.5`; undefined unless it is a number above zero. */
export function parseProcessorLimit(text: string): number | undefined {
  const n = /^\d+(?:\.\d+)?$/.test(text.trim()) ? Number(text) : 0;
  return n > 0 && n <= 1024 ? n : undefined;
}
