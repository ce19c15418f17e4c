export default { description: "Verify the audit log" };
