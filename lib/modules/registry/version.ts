/**
 * Whether version `a` is higher than `b`: numbers are compared by value, and a pre-release is lower than its release.
 */
export function newer(a: string | undefined, b: string | undefined): boolean {
  if (a === undefined || b === undefined) return a !== undefined && b === undefined;
  const [x, y] = [parts(a), parts(b)];
  for (let i = 0; i < Math.max(x.numbers.length, y.numbers.length); i++) {
    const [m, n] = [x.numbers[i] ?? 0, y.numbers[i] ?? 0];
    if (m !== n) return m > n;
  }
  if ((x.rest === "") !== (y.rest === "")) return x.rest === "";
  return x.rest.localeCompare(y.rest, "en", { numeric: true }) > 0;
}

function parts(version: string): { numbers: number[]; rest: string } {
  const [, core = "", rest = ""] = /^v?(\d+(?:\.\d+)*)?(.*?)(?:\+.*)?$/s.exec(version.slice(0, 255)) ?? [];
  return { numbers: core === "" ? [] : core.split(".").map(Number), rest };
}
