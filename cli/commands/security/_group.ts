export default { description: "Scan servers for malicious content, and approve or reject them" };
