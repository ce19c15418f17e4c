import * as v from "valibot";
import { ScanFinding } from "./scan.ts";

const about = v.description;

/** One page of the files that the last scan of a server read (reference 1.15). */
export const ScannedFiles = v.object({
  job_id: v.string(),
  source_path: v.pipe(v.string(), about("folder that the paths are relative to")),
  total_files: v.number(),
  total_size_bytes: v.number(),
  suspicious_count: v.number(),
  files: v.array(
    v.object({ path: v.string(), size: v.number(), suspicious: v.boolean(), findings: v.array(ScanFinding) }),
  ),
  offset: v.number(),
  limit: v.number(),
  has_more: v.boolean(),
});
export type ScannedFiles = v.InferOutput<typeof ScannedFiles>;
