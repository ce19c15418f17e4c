import { FAULTS, type FaultCode } from "../../base/fault.ts";

/**
 * Returns the texts of a fault with the names of its facts in braces: first the text with all facts, then the texts
 * that differ because one fact is missing.
 */
export function faultTexts(code: FaultCode): string[] {
  const asked = new Set<string>();
  const full = text(code, (name) => void asked.add(name));
  const without = [...asked].map((absent) => text(code, (name) => name === absent));
  const told = [full, ...without].filter((t) => t !== undefined && t !== "" && !/\bundefined\b/.test(t));
  return [...new Set(told)] as string[];
}

/** @param absent called for each fact that the text reads; if it returns true, the fact is missing */
function text(code: FaultCode, absent: (name: string) => boolean | undefined): string | undefined {
  const facts = new Proxy(
    {},
    {
      get(_, name) {
        if (typeof name === "symbol" || absent(name)) return undefined;
        // A list with one entry works for texts that expect a single fact, a list of facts, or the name of a fact.
        const braced = `{${name}}`;
        return [{ name: braced, toString: () => braced }];
      },
    },
  );
  try {
    // A text that computes with a number gets NaN from a placeholder.
    return String((FAULTS[code].text as (facts: unknown) => unknown)(facts)).replaceAll("NaN", "…");
  } catch {
    return undefined;
  }
}
