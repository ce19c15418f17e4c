import { reasonOf } from "../../../core/base/fault.ts";
import type { Entry, Input } from "../entry.ts";
import type { Give } from "./fill.ts";
import type { Means, Recipe } from "./means.ts";
import { packageRecipe } from "./package.ts";
import { remoteRecipe } from "./remote.ts";

/** A way to have a server, before anything was given for it. */
export interface Way {
  /** What it asks for; `needed`: nothing works without it. */
  readonly inputs: readonly { input: Input; needed: boolean }[];
  /** The recipe with `<name>` for what is needed. */
  readonly sample: Recipe;
  /** @throws Error that says what is wrong with what was given */
  with(give: Give): Recipe;
}

/**
 * How a server is run or reached by its registry entry (spec 000 §4.4): the first of its packages that can be run in a
 * pinned version, else the first of its remote servers. Nothing of an entry is ever given to a shell, nothing becomes
 * an option of the program that fetches the package, and nothing refers to secrets of this machine.
 *
 * @throws Error that says why there is none
 */
export function wayOf(entry: Entry, means: Means): Way {
  const reasons: string[] = [];
  const makers: ((give: Give) => Recipe)[] = [
    ...entry.packages.map((one) => (give: Give) => packageRecipe(one, give, means)),
    ...entry.remotes.map((one) => (give: Give) => remoteRecipe(one, give, means)),
  ];
  for (const make of makers) {
    const inputs = new Map<string, { input: Input; needed: boolean }>();
    try {
      const sample = make((input, needed) => {
        const known = inputs.get(input.name);
        inputs.set(input.name, { input, needed: needed || (known?.needed ?? false) });
        return needed ? `<${input.name.replaceAll(/[^\w.-]/g, "")}>` : undefined;
      });
      return { inputs: [...inputs.values()], sample, with: make };
    } catch (error) {
      reasons.push(reasonOf(error));
    }
  }
  throw new Error(reasons.length > 0 ? [...new Set(reasons)].join("; ") : "it has neither a package nor a URL");
}

/** What a recipe runs or reaches, for people. */
export function recipeText(recipe: Recipe): string {
  if (!("command" in recipe)) return recipe.url;
  return [recipe.command, ...recipe.args]
    .map((word) => (/^[\w@%+=:,./<>-]+$/.test(word) ? word : `'${word}'`))
    .join(" ");
}
