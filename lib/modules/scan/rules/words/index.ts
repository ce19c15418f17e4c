import ar from "./ar.json";
import type { Concept, LanguageName, Words } from "./concepts.ts";
import de from "./de.json";
import en from "./en.json";
import es from "./es.json";
import fr from "./fr.json";
import it from "./it.json";
import ja from "./ja.json";
import ko from "./ko.json";
import nl from "./nl.json";
import pl from "./pl.json";
import pt from "./pt.json";
import ru from "./ru.json";
import tr from "./tr.json";
import zh from "./zh.json";

/** The word lists of each language. Only the build reads them all. */
export const LANGUAGES: Readonly<Record<LanguageName, Words>> = checked({
  en,
  de,
  fr,
  es,
  pt,
  it,
  nl,
  pl,
  tr,
  ru,
  ar,
  zh,
  ja,
  ko,
});

/** Compiles only if all keys of each file are concepts. */
function checked<F extends Record<string, Words>>(
  files: F & { [L in keyof F]: Record<Exclude<keyof F[L], Concept>, never> },
): F {
  return files;
}
