import { shortFor } from "../short-for.ts";
import edit from "./config/edit.ts";

export default shortFor("config edit", edit, { word: "edit", group: "settings" });
