import { ar } from "./ar.ts";
import type { Words } from "./concepts.ts";
import { de } from "./de.ts";
import { en } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";
import { it } from "./it.ts";
import { ja } from "./ja.ts";
import { ko } from "./ko.ts";
import { nl } from "./nl.ts";
import { pl } from "./pl.ts";
import { pt } from "./pt.ts";
import { ru } from "./ru.ts";
import { tr } from "./tr.ts";
import { zh } from "./zh.ts";

/** The languages whose words are known. English comes first: it is the one most texts are in. */
export const LANGUAGES: Readonly<Record<string, Words>> = { en, de, fr, es, pt, it, nl, pl, tr, ru, ar, zh, ja, ko };
