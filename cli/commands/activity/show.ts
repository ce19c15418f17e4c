import { stringify } from "yaml";
import { command } from "../../command.ts";

export default command({
  about: "Show one record in full, with arguments and response",
  words: { id: { about: "as `proxy activity list` shows it" } },
  async run({ cli, words }) {
    const { activity } = await cli.call("GET /api/v1/activity/{id}", { params: { id: words.id } });
    await cli.show(activity, (record) => stringify(record, { lineWidth: 0 }).trimEnd());
  },
});
