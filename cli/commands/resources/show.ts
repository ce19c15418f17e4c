import { itemShowCommand } from "../../item-commands.ts";

export default itemShowCommand({ command: "resources", kinds: ["resource", "template"], example: "notes:note://1" });
