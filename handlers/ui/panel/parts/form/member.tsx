import { useContext } from "preact/hooks";
import { sentence } from "../time.tsx";
import { Group, OneOf } from "./groups.tsx";
import { List } from "./list.tsx";
import { MAX_DEPTH, resolved, typeOf, variantsOf } from "./schema.ts";
import { type MemberProps, Root } from "./shared.ts";
import { AsJson, Figure, Fixed, OneOfFew, Text, YesNo } from "./simple.tsx";

/** The field for one value, by the type in its schema. */
export function Member({ schema: raw, ...props }: MemberProps) {
  const shared = useContext(Root);
  const { root, depth } = shared;
  const schema = resolved(raw, root);
  const all = { ...props, schema, hint: schema.description && sentence(schema.description) };
  if (depth >= MAX_DEPTH) return <AsJson {...all} />;
  const variants = variantsOf(schema, root);
  const [only, ...others] = variants;
  // "Value or null" is a single shape; it keeps the description of the union.
  if (only && others.length === 0) {
    const { oneOf: _, anyOf: __, ...own } = schema;
    return <Member {...props} schema={{ ...only, ...own }} />;
  }
  if (only) return <OneOf {...all} variants={variants} />;
  if (schema.const !== undefined) return <Fixed {...all} />;
  if (schema.enum) return <OneOfFew {...all} choices={schema.enum} />;
  switch (typeOf(schema)) {
    case "boolean":
      return <YesNo {...all} />;
    case "integer":
    case "number":
      return <Figure {...all} />;
    case "string":
      return <Text {...all} />;
    case "array":
      return <List {...all} />;
    default:
      return schema.properties ? <Group {...all} /> : <AsJson {...all} />;
  }
}
