// @ts-check
/** Prints where the Node is that this machine's executable is made from, without anything embedded in it. */
import { fetchFile } from "./fetch.mjs";
import { hostTarget, TARGETS } from "./targets.mjs";

const target = TARGETS[hostTarget()];
if (!target) throw new Error(`no executable is made for ${hostTarget()}`);
console.log(fetchFile(target.node));
