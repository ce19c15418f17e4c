/** Reproducible random numbers from a seed, for tests of rules that must hold for any input. */
export interface Random {
  /** An integer from 0 to `n - 1`. */
  below(n: number): number;
  pick<T>(items: readonly T[]): T;
  /** A text of up to `most` of these pieces. */
  text(pieces: readonly string[], most: number): string;
}

/** The Mulberry32 generator. */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (n: number) => Math.floor(next() * n);
  const pick = <T>(items: readonly T[]): T => items[below(items.length)]!;
  return {
    below,
    pick,
    text: (pieces, most) => Array.from({ length: below(most + 1) }, () => pick(pieces)).join(""),
  };
}
