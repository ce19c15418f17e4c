import type { Data } from "../../api.ts";

/** One server of a registry with its inputs. */
export type Listed = Data<"GET /api/v1/registries/{id}/servers/{serverId}">;
/** The added server. */
export type Added = Data<"POST /api/v1/registries/{id}/servers/{serverId}/add">["server"];
