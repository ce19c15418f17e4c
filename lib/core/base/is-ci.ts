/** True if the environment is that of an automatic build: `CI` is set, and not to `false` or another word for no. */
export function isCi({ CI = "" }: Readonly<Record<string, string | undefined>>): boolean {
  return !["", "false", "0", "no", "off"].includes(CI.trim().toLowerCase());
}
