import { toolSwitch } from "../../tool-switch.ts";

export default toolSwitch({
  meta: {
    description: "Switch tools off, so that no client sees or calls them; their approval stays what it is",
    examples: ["proxy tools disable git:push"],
  },
  enabled: false,
});
