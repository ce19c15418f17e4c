// @ts-check
/**
 * Generates the software bill of materials in CycloneDX 1.5 JSON: Node, the bundled npm packages, and the package
 * files.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { description, epoch, license, version } from "../release.mjs";
import { TARGETS } from "../targets.mjs";
import { bundled } from "./bundled.mjs";

const sha256 = (/** @type {Buffer | string} */ b) => createHash("sha256").update(b).digest("hex");
const assets = new URL("../../dist/assets/", import.meta.url);

/** @param {string[]} targets the targets of the packages @param {{ name: string, bytes: Buffer }[]} made */
export async function sbom(targets, made) {
  const self = `pkg:generic/proxy@${version}`;
  const npm = (await bundled()).map(({ name, version, license, integrity }) =>
    component(name, version, license, integrity),
  );
  const native = targets.flatMap((target) => {
    const { node, keyring } = TARGETS[target];
    const of = [{ name: "proxy:target", value: target }];
    return [
      { ...component(node.name, node.version, "MIT", node.integrity), description: "Node.js", properties: of },
      { ...component(keyring.name, keyring.version, "MIT", keyring.integrity), properties: of },
    ];
  });
  const files = readdirSync(assets)
    .filter((f) => !f.endsWith(".tmp"))
    .sort()
    .map((name) => ({
      type: "file",
      "bom-ref": `asset:${name}`,
      name,
      hashes: [{ alg: "SHA-256", content: sha256(readFileSync(new URL(name, assets))) }],
    }));
  const components = unique([...native, ...npm, ...files]);
  const packages = made.map(({ name, bytes }) => ({
    type: "file",
    "bom-ref": `package:${name}`,
    name,
    hashes: [{ alg: "SHA-256", content: sha256(bytes) }],
  }));
  const body = {
    metadata: {
      timestamp: new Date(epoch() * 1000).toISOString(),
      component: {
        type: "application",
        "bom-ref": self,
        name: "proxy",
        version,
        description,
        purl: self,
        licenses: [{ license: { id: license } }],
        components: packages,
      },
    },
    components,
    dependencies: [{ ref: self, dependsOn: components.map((c) => c["bom-ref"]) }],
  };
  const head = {
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    serialNumber: uuid(sha256(JSON.stringify(body))),
    version: 1,
  };
  return `${JSON.stringify({ ...head, ...body }, null, 2)}\n`;
}

/** @param {string} name @param {string} version @param {string} license @param {string | undefined} integrity */
function component(name, version, license, integrity) {
  const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
  const [algorithm = "", digest = ""] = integrity?.split("-") ?? [];
  return {
    type: "library",
    "bom-ref": purl,
    name,
    version,
    purl,
    ...(license && { licenses: [/ |\(/.test(license) ? { expression: license } : { license: { id: license } }] }),
    ...(algorithm === "sha512" && {
      hashes: [{ alg: "SHA-512", content: Buffer.from(digest, "base64").toString("hex") }],
    }),
  };
}

/** @template {{ "bom-ref": string }} T @param {T[]} all @returns {T[]} */
function unique(all) {
  return [...new Map(all.map((c) => [c["bom-ref"], c])).values()];
}

/** A UUID derived from the content. @param {string} hash */
function uuid(hash) {
  const [a, b, c, d, e] = [
    hash.slice(0, 8),
    hash.slice(8, 12),
    hash.slice(13, 16),
    hash.slice(17, 20),
    hash.slice(20, 32),
  ];
  return `urn:uuid:${a}-${b}-4${c}-8${d}-${e}`;
}
