import type { SensitiveSeverity } from "../schema/sensitive-finding.ts";
import rows from "./token-shapes.json";

/** A kind of token that can be recognised by its characters. */
export interface TokenShape {
  readonly type: string;
  readonly category: "cloud_credentials" | "api_token" | "auth_token";
  readonly severity: SensitiveSeverity;
  /**
   * The expression that detection uses, without capturing groups. It starts with fixed letters and ends in one run of
   * one character class, or its length is limited. So no text is read twice, and the time is proportional to its
   * length.
   */
  readonly source: string;
  /**
   * The expression that masking uses, if it covers more than detection reports: a value that is masked by mistake does
   * less harm than one that is shown. False if the expression of another row covers it, or if masking handles the URL
   * or assignment that contains the token, to keep the rest of that readable.
   */
  readonly masked: string | false;
  /** What a value must contain, besides matching, to be reported. */
  readonly needs?: "digit" | "digit and capital";
}

type Row = Omit<TokenShape, "masked"> & Partial<Pick<TokenShape, "masked">>;

/**
 * The rows of token-shapes.json; `masked` is `source` if a row does not set it.
 *
 * Detection reports the first row that matches (reference 8.3); masking hides the matches of all rows (spec 000 §2.9
 * rule 4). A JSON web token (`jwt_token`) is masked only near the beginning of a run of characters, because a run that
 * contains many beginnings of tokens would be read once for each of them.
 */
// The JSON import types all texts as string; a test checks the rows against this type.
export const TOKEN_SHAPES: readonly TokenShape[] = (rows as readonly Row[]).map((row) => ({
  masked: row.source,
  ...row,
}));
