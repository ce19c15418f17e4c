export default { description: "Look after the people of the multi-user edition" };
