import { module } from "../../core/extension/module.ts";

/** Which package a server's command starts, and where it is installed on this machine. */
export default module("packages", {});
