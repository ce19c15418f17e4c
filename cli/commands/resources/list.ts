import { itemListCommand } from "../../item-commands.ts";

export default itemListCommand({ command: "resources", kinds: ["resource", "template"], example: "notes:note://1" });
