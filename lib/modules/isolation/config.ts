import * as v from "valibot";
import { defineConfig, hot } from "../../core/config/config-keys.ts";
import { duration, memory, oneOfWords, processors, stringMap, strings } from "../../core/config/fields.ts";

const about = v.description;

export const DockerIsolation = v.looseObject({
  enabled: v.optional(v.pipe(v.boolean(), about("isolate the servers that the proxy starts")), false),
  mode: v.optional(
    v.pipe(
      oneOfWords(["docker", "sandbox", "none"]),
      about("kind of isolation: containers, the light sandbox of the operating system, or none"),
    ),
    "docker",
  ),
  fallback: v.optional(
    v.pipe(
      oneOfWords(["refuse", "sandbox", "run"]),
      about(
        "what the proxy does while no container engine is available: refuse to start the server, start it in the light sandbox, or start it without isolation",
      ),
    ),
    "refuse",
  ),
  default_images: v.optional(
    v.pipe(
      stringMap(),
      about("image by command, such as `uvx`, or by runtime, such as `node`; overrides the built-in choice"),
    ),
  ),
  registry: v.optional(v.pipe(v.string(), about("registry of images whose name contains none")), "docker.io"),
  network_mode: v.optional(
    v.pipe(
      v.string(),
      about(
        "network of the containers: `bridge`, `none`, `host` or the name of a network; a sandbox has network access with `host` only",
      ),
    ),
    "bridge",
  ),
  memory_limit: v.optional(v.pipe(v.string(), memory, about("memory limit of each server")), "512m"),
  cpu_limit: v.optional(v.pipe(v.string(), processors, about("processor limit of each server")), "1.0"),
  timeout: v.optional(v.pipe(duration(1000, 1_800_000, "1s to 30m"), about("timeout for a container to start")), "30s"),
  extra_args: v.optional(v.pipe(strings(), about("additional flags of `docker run` for all containers")), []),
  log_driver: v.optional(v.pipe(v.string(), about("log driver of the container engine; absent: the engine's default"))),
  log_max_size: v.optional(
    v.pipe(v.string(), about("size at which the engine rotates a container's log file")),
    "100m",
  ),
  log_max_files: v.optional(
    v.pipe(v.string(), about("maximum number of log files that the engine keeps for a container")),
    "3",
  ),
  enable_cache_volume: v.optional(
    v.pipe(v.boolean(), about("give each server a persistent home volume for the caches of package managers")),
    true,
  ),
});

/** Isolation of servers. */
export const config = defineConfig(
  {
    docker_isolation: [v.optional(DockerIsolation, {}), hot, "isolation of servers in containers or sandboxes"],
  },
  { after: "profiles" },
);
