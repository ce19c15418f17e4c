// @ts-check
/**
 * Builds a container image without a base image and without a container engine: the executable, its C and C++
 * libraries, and a few files in /etc. The result is one file in the OCI image layout, for `podman load`, `docker load`
 * and `skopeo`.
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { description, epoch, license, version } from "../release.mjs";
import { gzip, tar, withFolders } from "../tar.mjs";
import { ARCHITECTURES } from "./deb.mjs";
import { libraries } from "./libraries.mjs";
import { installed } from "./tree.mjs";

/** The conventional user ID of images without a root user. */
const USER = 65_532;
/** Packages of the libraries, whose licences are included if the image is built on Debian or a derivative. */
const LICENCES = ["libc6", "libstdc++6", "libgcc-s1"];

const sha256 = (/** @type {Buffer} */ b) => createHash("sha256").update(b).digest("hex");
const json = (/** @type {unknown} */ value) => Buffer.from(JSON.stringify(value));

/**
 * @param {string} target @param {Buffer} executable @param {import("./tree.mjs").Pages} pages
 * @returns {Promise<{ name: string, bytes: Buffer }>}
 */
export async function image(target, executable, pages) {
  const architecture = ARCHITECTURES[target];
  const layer = tar(withFolders(await root(target, executable, pages)), epoch());
  const created = new Date(epoch() * 1000).toISOString();
  const labels = {
    "org.opencontainers.image.title": "proxy",
    "org.opencontainers.image.description": description,
    "org.opencontainers.image.version": version,
    "org.opencontainers.image.licenses": license,
  };
  /** @type {Map<string, Buffer>} */
  const blobs = new Map();
  const blob = (/** @type {Buffer} */ bytes, /** @type {string} */ mediaType) => {
    blobs.set(sha256(bytes), bytes);
    return {
      mediaType: `application/vnd.oci.image.${mediaType}`,
      digest: `sha256:${sha256(bytes)}`,
      size: bytes.length,
    };
  };
  const layers = [blob(await gzip(layer), "layer.v1.tar+gzip")];
  const config = blob(
    json({
      created,
      architecture,
      os: "linux",
      config: { ...RUN, Labels: labels },
      rootfs: { type: "layers", diff_ids: [`sha256:${sha256(layer)}`] },
      history: [{ created, created_by: "npm run package" }],
    }),
    "config.v1+json",
  );
  const mediaType = "application/vnd.oci.image.manifest.v1+json";
  const manifest = blob(json({ schemaVersion: 2, mediaType, config, layers, annotations: labels }), "manifest.v1+json");
  const names = {
    "org.opencontainers.image.ref.name": version,
    "io.containerd.image.name": `localhost/proxy:${version}`,
  };
  const index = json({
    schemaVersion: 2,
    mediaType: "application/vnd.oci.image.index.v1+json",
    manifests: [{ ...manifest, platform: { os: "linux", architecture }, annotations: names }],
  });
  const files = [
    { path: "oci-layout", mode: 0o644, data: json({ imageLayoutVersion: "1.0.0" }) },
    { path: "index.json", mode: 0o644, data: index },
    ...[...blobs].map(([hash, data]) => ({ path: `blobs/sha256/${hash}`, mode: 0o644, data })),
  ];
  return { name: `proxy-${version}-image-${architecture}.tar`, bytes: tar(withFolders(files), epoch()) };
}

/**
 * The run configuration of a container. The health check is an extension of Docker; for other engines see
 * docs/install.md.
 */
const RUN = {
  User: `${USER}:${USER}`,
  Env: [
    "PATH=/usr/bin",
    "HOME=/data",
    "SERVICE_DATA=/data",
    // The port is only reachable as far as the container publishes it. Other machines can reach it, so clients must
    // authenticate.
    "SERVICE_LISTEN=0.0.0.0:8080",
    "SERVICE_REQUIRE_MCP_AUTH=true",
    // Less memory: one arena for all threads, and free memory goes back to the system.
    "MALLOC_ARENA_MAX=1",
    "MALLOC_TRIM_THRESHOLD_=1048576",
    "MALLOC_MMAP_THRESHOLD_=32768",
  ],
  Entrypoint: ["/usr/bin/proxy"],
  Cmd: ["serve"],
  WorkingDir: "/data",
  Volumes: { "/data": {} },
  ExposedPorts: { "8080/tcp": {} },
  StopSignal: "SIGTERM",
  Healthcheck: {
    Test: ["CMD", "/usr/bin/proxy", "healthcheck"],
    Interval: 30e9,
    Timeout: 6e9,
    StartPeriod: 10e9,
    Retries: 3,
  },
};

/**
 * @param {string} target @param {Buffer} executable @param {import("./tree.mjs").Pages} pages
 * @returns {Promise<import("../tar.mjs").Entry[]>}
 */
async function root(target, executable, pages) {
  const wanted = /^(bin\/|share\/proxy\/|share\/doc\/)/;
  const own = (await installed({ target, executable, channel: "container", pages })).filter((f) => wanted.test(f.path));
  const text = (/** @type {string} */ path, /** @type {string} */ data) => ({
    path,
    mode: 0o644,
    data: Buffer.from(data),
  });
  return [
    ...own.map((f) => ({ ...f, path: `usr/${f.path}` })),
    ...libraries(target, executable).map(({ path, from }) => ({
      path: path.slice(1),
      mode: 0o755,
      data: readFileSync(from),
    })),
    ...LICENCES.flatMap((name) => {
      const from = `/usr/share/doc/${name}/copyright`;
      return existsSync(from)
        ? [{ path: `usr/share/doc/${name}/${basename(from)}`, mode: 0o644, data: readFileSync(from) }]
        : [];
    }),
    text("etc/passwd", `root:x:0:0:root:/:/none\nproxy:x:${USER}:${USER}:proxy:/data:/none\n`),
    text("etc/group", `root:x:0:\nproxy:x:${USER}:\n`),
    text("etc/nsswitch.conf", "hosts: files dns\n"),
    { path: "data/", mode: 0o700, uid: USER, gid: USER },
    { path: "tmp/", mode: 0o1777 },
  ];
}
