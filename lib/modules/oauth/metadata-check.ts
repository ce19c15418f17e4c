import type { LoginDiagnostics } from "../../core/schema/login.ts";
import type { FlowName } from "./flow-fault.ts";

/** Why a metadata document cannot be used. `absent`: the server responds that it does not exist. */
export type MetadataProblem = "address_refused" | "unreachable" | "absent" | "unusable";

/** The search for one kind of metadata document; the fault of the sign-in shows its URLs and its last error. */
export interface MetadataCheck {
  readonly urlChecked: (url: string) => void;
  /** Replaces the problem that was reported before. */
  report(problem: MetadataProblem, text: string): void;
  /** The document was found, so that earlier problems do not matter. */
  found(): void;
  /** The last problem; undefined if there was none. */
  readonly problem: MetadataProblem | undefined;
  readonly error: string | undefined;
}

export function metadataCheck({ details }: FlowName, kind: keyof LoginDiagnostics["metadata"]): MetadataCheck {
  const metadata = details.metadata[kind];
  let problem: MetadataProblem | undefined;
  return {
    urlChecked: (url) => void metadata.urls_checked.push(url),
    report(next, text) {
      // A URL without a document is less relevant than an error at another URL.
      if (next === "absent" && problem !== undefined) return;
      problem = next;
      metadata.error = text;
    },
    found() {
      problem = undefined;
      metadata.found = true;
      delete metadata.error;
    },
    get problem() {
      return problem;
    },
    get error() {
      return metadata.error;
    },
  };
}
