import { reasonOf } from "./fault.ts";
import { systemErrorCode } from "./file.ts";

/**
 * Says why a file cannot be read, and what to do: `notes.txt does not exist; correct the path`.
 *
 * @param path as the person wrote it
 * @param missing what to do if the file does not exist
 */
export function readProblem(path: string, error: unknown, missing = "correct the path"): string {
  switch (systemErrorCode(error)) {
    case "ENOENT":
    case "ENOTDIR":
      return `${path} does not exist; ${missing}`;
    case "EISDIR":
      return `${path} is a folder; name a file`;
    case "EACCES":
    case "EPERM":
      return `${path} cannot be read, because you have no permission; change its permissions or run this as its owner`;
    case "ERR_ENCODING_INVALID_ENCODED_DATA":
      return `${path} is not text in UTF-8; convert it`;
    default:
      return `${path} cannot be read: ${reasonOf(error)}`;
  }
}
