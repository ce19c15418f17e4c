import { toolSwitch } from "../../tool-switch.ts";

export default toolSwitch({
  meta: {
    description: "Enable disabled tools; pending tools stay pending",
    examples: ["proxy tools enable git:log git:diff"],
  },
  enabled: true,
});
