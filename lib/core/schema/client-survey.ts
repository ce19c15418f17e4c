import * as v from "valibot";

const about = v.description;

/** The servers in the configurations of all MCP clients of the proxy's machine, each once. */
export const ClientSurvey = v.object({
  clients: v.pipe(
    v.array(
      v.object({
        client: v.pipe(v.string(), about("id of the client")),
        name: v.string(),
        config_path: v.string(),
        connected: v.pipe(v.boolean(), about("the file has an entry that leads to this proxy")),
        server_count: v.pipe(v.number(), about("number of entries that lead to other servers")),
        error: v.optional(v.pipe(v.string(), about("why the file cannot be read"))),
      }),
    ),
    about("clients that have a configuration file"),
  ),
  servers: v.pipe(
    v.array(
      v.object({
        name: v.pipe(v.string(), about("name under which it would be imported, or has been")),
        configured: v.pipe(v.boolean(), about("the proxy has this server already")),
        enabled: v.boolean(),
        command: v.optional(v.string()),
        args: v.optional(v.array(v.string())),
        url: v.optional(v.string()),
        entries: v.pipe(
          v.array(
            v.object({
              client: v.string(),
              name: v.pipe(v.string(), about("name of the entry in the client's file")),
            }),
          ),
          about("where it was found; more than one: the clients run it several times"),
        ),
        secrets: v.pipe(v.array(v.string()), about("fields with a value that looks like a secret, in plain text")),
        problem: v.optional(v.pipe(v.string(), about("why it cannot work"))),
        warnings: v.array(v.string()),
      }),
    ),
    about("servers, without those that lead to this proxy"),
  ),
});
export type ClientSurvey = v.InferOutput<typeof ClientSurvey>;
