// @ts-check
/**
 * Builds the MCP bundle (`.mcpb`): clients such as Claude Desktop install it with one click. It runs `proxy bridge`, which
 * connects the client to the proxy that runs on this machine.
 */
import { description, homepage, license, maintainer, version } from "../release.mjs";
import { programFiles } from "./npm.mjs";
import { zip } from "./zip.mjs";

/** @returns {Promise<{ name: string, bytes: Buffer }>} */
export async function mcpb() {
  const [, author = maintainer] = /^(.*?)\s*</.exec(maintainer) ?? [];
  const manifest = {
    manifest_version: "0.3",
    name: "proxy",
    display_name: "MCP proxy",
    version,
    description,
    author: { name: author, ...(homepage && { url: homepage }) },
    ...(homepage && { homepage }),
    license,
    server: {
      type: "node",
      entry_point: "server/proxy.cjs",
      mcp_config: {
        command: "node",
        args: ["${__dirname}/server/proxy.cjs", "bridge", "--data-dir", "${user_config.data_dir}"],
        env: {},
      },
    },
    tools_generated: true,
    prompts_generated: true,
    user_config: {
      data_dir: {
        type: "directory",
        title: "Data directory",
        description: "Data directory of the running proxy",
        default: "${HOME}/.mcpproxy",
        required: false,
      },
    },
    compatibility: { platforms: ["darwin", "linux", "win32"], runtimes: { node: ">=20.18.1" } },
  };
  const files = (await programFiles()).map((file) => ({ ...file, path: `server/${file.path}` }));
  const text = Buffer.from(JSON.stringify(manifest, null, 2));
  return {
    name: `proxy-${version}.mcpb`,
    bytes: await zip([{ path: "manifest.json", mode: 0o644, data: text }, ...files]),
  };
}
