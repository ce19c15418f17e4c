import type { SensitiveSeverity } from "../schema/sensitive-finding.ts";
import rows from "./token-shapes.json";

/** A kind of token that shows by its own letters what it is. */
export interface TokenShape {
  readonly type: string;
  readonly category: "cloud_credentials" | "api_token" | "auth_token";
  readonly severity: SensitiveSeverity;
  /**
   * What detection reports: source of an expression without capturing groups. It starts with letters of its own and
   * ends in one run of one class, or is bounded in length: so nothing is read twice, and any text takes time in
   * proportion to its length.
   */
  readonly source: string;
  /**
   * What masking hides, where that is more than what detection reports: a value masked by mistake costs less than one
   * that is shown. False where another row's expression covers it, or where masking reads the address or assignment
   * that the token stands in, to keep the rest of that readable.
   */
  readonly masked: string | false;
  /** What a value must hold, beside its shape, to be reported. */
  readonly needs?: "digit" | "digit and capital";
}

type Row = Omit<TokenShape, "masked"> & Partial<Pick<TokenShape, "masked">>;

/**
 * The rows of token-shapes.json; `masked` is `source` where a row has none.
 *
 * Detection reports the first that matches (reference 8.3); masking hides all of them (spec 000 §2.9 rule 4).
 * A JSON web token (`jwt_token`) is masked only near the beginning of its run: a run of many such beginnings would be
 * read once for each of them.
 */
// A JSON file's texts have the type string; a test holds the rows to this type.
export const TOKEN_SHAPES: readonly TokenShape[] = (rows as readonly Row[]).map((row) => ({
  masked: row.source,
  ...row,
}));
