export default { description: "Scan servers for what is poisoned or planted, and decide about them" };
