import type { Data } from "../../api.ts";

/** A tool as the overview lists it. */
export type Tool = Data<"GET /api/v1/tools">["tools"][number];

export const keyOf = (t: Pick<Tool, "server_name" | "name">) => `${t.server_name}:${t.name}`;
