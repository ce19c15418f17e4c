import { itemBlockCommand } from "../../item-commands.ts";

export default itemBlockCommand({ command: "resources", kinds: ["resource", "template"], example: "notes:note://1" });
