import { reasonOf } from "../../../core/base/fault.ts";
import type { Entry, Input } from "../entry.ts";
import type { InputLookup } from "./fill.ts";
import { packageRecipe } from "./package.ts";
import type { InstallHost, Recipe } from "./recipe.ts";
import { remoteRecipe } from "./remote.ts";

/** How a server of a registry can be installed, before the user has given any value. */
export interface InstallPlan {
  /** The inputs that the server declares. `needed`: the server does not work without it. */
  readonly inputs: readonly { input: Input; needed: boolean }[];
  /** The recipe with `<name>` in place of each needed value. */
  readonly sample: Recipe;
  /** @throws Error that says what is wrong with the given values */
  recipeFor(lookUp: InputLookup): Recipe;
}

/**
 * Plans how a server of a registry is started or contacted (spec 000 §4.4): the first of its packages that can be run
 * in a pinned version, otherwise the first of its remote servers. No part of an entry is passed to a shell, becomes an
 * option of the program that downloads the package, or refers to secrets of this machine.
 *
 * @throws Error with the reason if there is none
 */
export function installPlan(entry: Entry, host: InstallHost): InstallPlan {
  const reasons: string[] = [];
  const makers: ((lookUp: InputLookup) => Recipe)[] = [
    ...entry.packages.map((one) => (lookUp: InputLookup) => packageRecipe(one, lookUp, host)),
    ...entry.remotes.map((one) => (lookUp: InputLookup) => remoteRecipe(one, lookUp, host)),
  ];
  for (const make of makers) {
    const inputs = new Map<string, { input: Input; needed: boolean }>();
    try {
      const sample = make((input, needed) => {
        const previous = inputs.get(input.name);
        inputs.set(input.name, { input, needed: needed || (previous?.needed ?? false) });
        return needed ? `<${input.name.replaceAll(/[^\w.-]/g, "")}>` : undefined;
      });
      return { inputs: [...inputs.values()], sample, recipeFor: make };
    } catch (error) {
      reasons.push(reasonOf(error));
    }
  }
  throw new Error(reasons.length > 0 ? [...new Set(reasons)].join("; ") : "it has neither a package nor a URL");
}

/** Describes what a recipe runs or contacts, for people. */
export function recipeText(recipe: Recipe): string {
  if (!("command" in recipe)) return recipe.url;
  return [recipe.command, ...recipe.args]
    .map((word) => (/^[\w@%+=:,./<>-]+$/.test(word) ? word : `'${word}'`))
    .join(" ");
}
