/** A name for a secret that says what it is for: the server and the header or variable. */
export function secretName(server: string, key: string): string {
  return `${server}-${key}`.replaceAll(/[^A-Za-z0-9_.-]+/g, "-").slice(0, 128);
}
