export default { description: "Show activity records: calls, blocks and changes" };
