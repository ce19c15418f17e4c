import { dirname } from "node:path";
import { reasonOf } from "./fault.ts";
import { systemErrorCode } from "./file.ts";

/** Says why a file cannot be written, and what to do: `the folder out does not exist; create it`. */
export function writeProblem(path: string, error: unknown): string {
  switch (systemErrorCode(error)) {
    case "ENOENT":
      return `${path} cannot be written, because the folder ${dirname(path)} does not exist; create it`;
    case "ENOTDIR":
      return `${path} cannot be written, because ${dirname(path)} is not a folder; correct the path`;
    case "EISDIR":
      return `${path} cannot be written, because it is a folder; name a file`;
    case "EACCES":
    case "EPERM":
      return `${path} cannot be written, because you have no permission; choose another folder`;
    case "ENOSPC":
      return `${path} cannot be written, because the disk is full; free space or choose another disk`;
    default:
      return `${path} cannot be written: ${reasonOf(error)}`;
  }
}
