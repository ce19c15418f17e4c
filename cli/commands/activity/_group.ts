export default { group: "watch", description: "Show activity records: calls, blocks and changes" } as const;
