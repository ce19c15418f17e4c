/** Each row maps units to their size in the row's first unit. Temperatures are separate, because they have offsets. */
const LINEAR: readonly Record<string, number>[] = [
  { m: 1, mm: 0.001, cm: 0.01, km: 1000, in: 0.0254, ft: 0.3048, yd: 0.9144, mi: 1609.344, nmi: 1852 },
  { kg: 1, g: 0.001, mg: 1e-6, t: 1000, oz: 0.028349523125, lb: 0.45359237 },
  { s: 1, ms: 0.001, min: 60, h: 3600, d: 86_400, week: 604_800 },
  { l: 1, ml: 0.001, m3: 1000, gal: 3.785411784, pt: 0.473176473, cup: 0.2365882365 },
  { B: 1, kB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12, KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3, TiB: 1024 ** 4 },
  { "km/h": 1, "m/s": 3.6, mph: 1.609344, kn: 1.852 },
];
const KELVIN: Record<string, { to(n: number): number; from(n: number): number }> = {
  K: { to: (n) => n, from: (n) => n },
  C: { to: (n) => n + 273.15, from: (n) => n - 273.15 },
  F: { to: (n) => ((n - 32) * 5) / 9 + 273.15, from: (n) => ((n - 273.15) * 9) / 5 + 32 },
};

export const UNITS: readonly string[] = [...LINEAR.flatMap((row) => Object.keys(row)), ...Object.keys(KELVIN)];

/** @throws Error when a unit is unknown or the units measure different quantities */
export function convert(value: number, from: string, to: string): number {
  for (const unit of [from, to])
    if (!UNITS.includes(unit)) throw new Error(`unknown unit "${unit}"; known: ${UNITS.join(", ")}`);
  const [source, target] = [KELVIN[from], KELVIN[to]];
  if (source && target) return tidy(target.from(source.to(value)));
  const row = LINEAR.find((r) => Object.hasOwn(r, from));
  if (!row || !Object.hasOwn(row, to)) throw new Error(`"${from}" and "${to}" measure different quantities`);
  return tidy((value * row[from]!) / row[to]!);
}

/** Rounds to twelve digits: more than any input has, and few enough to hide binary rounding errors. */
const tidy = (n: number) => Number(n.toPrecision(12));
