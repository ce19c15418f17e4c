export default { description: "Manage users of the multi-user edition" };
