import { shortFor } from "../short-for.ts";
import list from "./upstream/list.ts";

export default shortFor("upstream list", list, { word: "ls", group: "servers" });
