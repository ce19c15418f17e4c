/** True for `/a/b?c`; false for `*`, complete URLs, and paths with backslashes, which some parsers treat as slashes. */
export function isPathTarget(target: string): boolean {
  return target.startsWith("/") && !target.includes("\\");
}
