export default { description: "Check the audit trail" };
