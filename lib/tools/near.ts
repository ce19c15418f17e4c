import type { App } from "../app.ts";
import { suggest } from "../gate/suggest.ts";
import type { Caller } from "../shape/caller.ts";
import { visibleTo } from "./snapshot.ts";

/**
 * What an unknown id may have meant, out of the tools this caller may be shown (spec 000 §2.6). Make one for each
 * request: the tools are gathered at the first question and not looked at again.
 */
export function near(app: App, caller: Caller): (id: string) => string[] {
  let visible: string[] | undefined;
  return (id) => {
    visible ??= visibleIds(app, caller);
    return suggest(id, visible);
  };
}

function visibleIds(app: App, caller: Caller): string[] {
  const sees = visibleTo(app, caller);
  const ids: string[] = [];
  for (const row of app.catalog.all()) if (sees(row)) ids.push(row.id);
  return ids;
}
