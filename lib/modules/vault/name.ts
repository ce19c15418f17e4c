/** Creates a descriptive name for a secret from the server and the header or variable. */
export function secretName(server: string, key: string): string {
  return `${server}-${key}`.replaceAll(/[^A-Za-z0-9_.-]+/g, "-").slice(0, 128);
}
