import { shortFor } from "../short-for.ts";
import remove from "./upstream/remove.ts";

export default shortFor("upstream remove", remove, { word: "rm", group: "servers" });
