// @ts-check
/** Prints the path of the Node binary from which this machine's executable is made, without embedded files. */
import { fetchFile } from "./fetch.mjs";
import { hostTarget, TARGETS } from "./targets.mjs";

const target = TARGETS[hostTarget()];
if (!target) throw new Error(`no executable is made for ${hostTarget()}`);
console.log(fetchFile(target.node));
