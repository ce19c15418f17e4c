import type { Data } from "../../api.ts";

/** One server of a registry, with what adding it asks for. */
export type Listed = Data<"GET /api/v1/registries/{id}/servers/{serverId}">;
/** The server that adding one made. */
export type Added = Data<"POST /api/v1/registries/{id}/servers/{serverId}/add">["server"];
