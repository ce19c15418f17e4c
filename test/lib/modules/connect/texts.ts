import type { Client } from "#lib/modules/connect/client.ts";

/** Texts that clients' configurations may be, by what is special about them. */
export type Texts = Readonly<Record<string, string>>;

/** What every client's file may look like, in its own format and words. */
export function textsFor(client: Client): Texts {
  const path = client.at({});
  if (client.format === "toml") return toml(path.join("."));
  if (client.format === "yaml") return client.list ? yamlList(path[0]!) : yamlMap(path[0]!);
  return json(path);
}

const crlf = (text: string) => text.replaceAll("\n", "\r\n");

/** One key for the servers is enough: OpenCode's second level is a case of its own. */
function json([key]: readonly string[]): Texts {
  const other = `{
    "command": "npx",
    "args": ["-y", "some-server"],
    "env": { "API_TOKEN": "s3cr3t-value-of-other" }
  }`;
  const plain = `{
  "theme": "dark",
  "${key}": {
    "other": ${other.replaceAll("\n", "\n    ")}
  },
  "numbers": [1, 2.50, 1e3]
}
`;
  const deep = `${"[".repeat(60)}1${"]".repeat(60)}`;
  return {
    nothing: "",
    "white space": "\n",
    "an empty object": "{}",
    "an empty object and a line": "{}\n",
    "an empty object on lines": "{\n}\n",
    "nothing of servers": `{\n  "theme": "dark"\n}\n`,
    "an empty set of servers": `{\n  "${key}": {}\n}\n`,
    "an empty set of servers on lines": `{\n  "${key}": {\n  }\n}\n`,
    "no value for the servers": `{\n  "${key}": null\n}\n`,
    "other servers": plain,
    "other servers, without a last line end": plain.trimEnd(),
    "Windows line ends": crlf(plain),
    "a byte order mark": `\uFEFF${plain}`,
    "a mark and Windows line ends": `\uFEFF${crlf(plain)}`,
    tabs: plain.replaceAll("  ", "\t"),
    "four spaces": plain.replaceAll("  ", "    "),
    "one line": `{"theme":"dark","${key}":{"other":{"command":"x"}},"z":1}`,
    "one line without servers": `{"theme":"dark"}`,
    "comments everywhere": `// head
{
  // before
  "theme": "dark", // beside
  /* block */
  "${key}": {
    // of the other
    "other": { "command": "x" } // tail of the other
    // below the other
  }, // tail of the servers
  "z": 1 // last
}
// foot
`,
    "a comma at the end": `{\n  "${key}": {\n    "other": { "command": "x", },\n  },\n}\n`,
    "a comma at the end and a comment": `{\n  "${key}": {\n    "other": { "command": "x" }, // c\n  }, // d\n}\n`,
    "only comments in the servers": `{\n  "${key}": {\n    // "old": { "command": "x" }\n  }\n}\n`,
    "only a comment": "// nothing yet\n",
    "deep nesting": `{\n  "deep": ${deep},\n  "${key}": {}\n}\n`,
    "odd keys": `{\n  "__proto__": { "a": 1 },\n  "a\\u0062\\"": "\\u00e9/\\/",\n  "${key}": { "constructor": { "command": "x" } }\n}\n`,
    "odd layout": `{ "a"  :1,\n      "${key}" :\n{"other":{"command" : "x"}}\n   }\n\n\n`,
  };
}

function toml(key: string): Texts {
  const plain = `# head
model = "o3" # beside

[${key}.other]
command = "npx"
args = ["-y", "some-server"] # tail

# of the environment
[${key}.other.env]
API_TOKEN = "s3cr3t-value-of-other"

# of the profile
[profiles.work]
text = """
[${key}.not_a_table]
x = 1 # not a comment
"""
when = 1979-05-27T07:32:00Z
big = 9007199254740993
`;
  return {
    nothing: "",
    "white space": "\n\n",
    "only a comment": "# nothing yet\n",
    "nothing of servers": `model = "o3"\n`,
    "nothing of servers, without a last line end": `model = "o3"`,
    "other servers": plain,
    "other servers, without a last line end": plain.trimEnd(),
    "Windows line ends": crlf(plain),
    "a byte order mark": `\uFEFF${plain}`,
    "servers under one header": `[${key}]\nother = { command = "x" } # c\nnext.command = "y"\n\n[z]\na = 1\n`,
    "dotted keys": `${key}.other.command = "x"\n[z]\na = [\n  1, # [${key}.a]\n  2,\n]\n`,
    "quoted keys": `["${key}"."other"]\ncommand = 'C:\\x'\n[['a b'.c]]\nx = 1\n[['a b'.c]]\nx = 2\n`,
    "no empty lines": `[${key}.other]\ncommand = "x"\n[z]\na = 1\n`,
    "deep nesting": `deep = ${"[".repeat(60)}1${"]".repeat(60)}\n`,
    "servers last, with a comment below": `[z]\na = 1\n\n[${key}.other]\ncommand = "x"\n\n# the end\n`,
  };
}

function yamlMap(key: string): Texts {
  const plain = `# head
GOOSE_MODEL: "gpt" # beside
${key}:
  # of the other
  other:
    type: stdio
    cmd: npx
    args: ["-y", 'some-server']
    envs:
      API_TOKEN: s3cr3t-value-of-other # tail
  # below

  folded:
    type: builtin
    cmd: x
    text: >-
      one
      two

after:   [1,   2]
`;
  return {
    nothing: "",
    "white space": "\n",
    "only a comment": "# nothing yet\n",
    "nothing of servers": "a: 1\n",
    "nothing of servers, without a last line end": "a: 1",
    "an empty set of servers": `a: 1\n${key}: {}\nb: 2\n`,
    "an empty set and a comment": `${key}: {} # none\nb: 2\n`,
    "no value for the servers": `a: 1\n${key}:\nb: 2\n`,
    "no value for the servers, at the end": `a: 1\n${key}:`,
    "other servers": plain,
    "Windows line ends": crlf(plain),
    "a byte order mark": `\uFEFF${plain}`,
    "servers last": `a: 1\n${key}:\n  other:\n    cmd: x`,
    "four spaces": `${key}:\n    other:\n        cmd: x\n`,
    "flow form": `${key}: { other: { cmd: x } } # c\nb: 2\n`,
    "a document mark": `---\n${key}:\n  other:\n    cmd: x\n`,
    "a block text last": `${key}:\n  other:\n    cmd: x\n    text: |\n      a\n      b\n\n\nb: 2\n`,
    "anchors elsewhere": `base: &b { a: 1 }\nuse: *b\n${key}:\n  other:\n    cmd: x\n`,
    "deep nesting": `deep: ${"[".repeat(60)}1${"]".repeat(60)}\n`,
  };
}

function yamlList(key: string): Texts {
  const plain = `name: mine
version: 1.0.0
${key}:
  # of the other
  - name: other
    command: npx
    args:
      - -y
      - some-server
    env:
      API_TOKEN: s3cr3t-value-of-other # tail
  - name: next   # c
    command: y

models:
  - name: m
`;
  return {
    "nothing of servers": "name: mine\n",
    "nothing of servers, without a last line end": "name: mine",
    "an empty list": `name: mine\n${key}: []\nb: 2\n`,
    "no value for the servers": `name: mine\n${key}:\nb: 2\n`,
    "other servers": plain,
    "Windows line ends": crlf(plain),
    "a byte order mark": `\uFEFF${plain}`,
    "no indentation": `${key}:\n- name: other\n  command: x\n- name: next\n  command: y\nb: 2\n`,
    "servers last": `a: 1\n${key}:\n  - name: other\n    command: x`,
    "flow form": `${key}: [{ name: other, command: x }] # c\nb: 2\n`,
    "deep nesting": `deep: ${"[".repeat(60)}1${"]".repeat(60)}\n`,
  };
}

/** Texts that nobody can read. */
export const BROKEN: Readonly<Record<Client["format"], readonly string[]>> = {
  json: ['{ "a": ', "[1]", '"text"', "{ a: 1 }"],
  jsonc: ['{ "a": ', "[1]"],
  toml: ["a = ", "[a\n", "= 1\n", "a = 1\na = 2\n"],
  yaml: ["a: [1", "a: 1\na: 2\n", "- 1\n", "a: 1\n---\nb: 2\n"],
};
