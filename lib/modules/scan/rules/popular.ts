import npm from "./popular/npm.txt";
import pypi from "./popular/pypi.txt";

/** Names of widely installed packages, by package registry. */
export const POPULAR: Readonly<Record<"npm" | "pypi", ReadonlySet<string>>> = {
  npm: namesIn(npm),
  pypi: namesIn(pypi),
};

function namesIn(text: string): ReadonlySet<string> {
  return new Set(text.split("\n").filter((line) => line !== "" && !line.startsWith("#")));
}
