export default { description: "Move data to and from the database that replicas share" };
