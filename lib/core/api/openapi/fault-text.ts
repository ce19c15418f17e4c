import { FAULTS, type FaultCode } from "../../base/fault.ts";

/**
 * A fault's texts with the names of its facts in braces: first with everything that may be known, then those that
 * differ because one fact is not.
 */
export function faultTexts(code: FaultCode): string[] {
  const asked = new Set<string>();
  const full = text(code, (name) => void asked.add(name));
  const without = [...asked].map((absent) => text(code, (name) => name === absent));
  const told = [full, ...without].filter((t) => t !== undefined && t !== "" && !/\bundefined\b/.test(t));
  return [...new Set(told)] as string[];
}

/** @param absent told of each fact that is looked at; true leaves it out */
function text(code: FaultCode, absent: (name: string) => boolean | undefined): string | undefined {
  const facts = new Proxy(
    {},
    {
      get(_, name) {
        if (typeof name === "symbol" || absent(name)) return undefined;
        // A list of one is read like what is in it, and where a text works on a list, too; its entry may have a name.
        const braced = `{${name}}`;
        return [{ name: braced, toString: () => braced }];
      },
    },
  );
  try {
    // A number that is reckoned with is none here.
    return String((FAULTS[code].text as (facts: unknown) => unknown)(facts)).replaceAll("NaN", "…");
  } catch {
    return undefined;
  }
}
