const FUNCTIONS: Record<string, (...n: number[]) => number> = Object.assign(Object.create(null), {
  abs: Math.abs,
  acos: Math.acos,
  asin: Math.asin,
  atan: Math.atan,
  cbrt: Math.cbrt,
  ceil: Math.ceil,
  cos: Math.cos,
  exp: Math.exp,
  floor: Math.floor,
  ln: Math.log,
  log: Math.log10,
  log2: Math.log2,
  max: Math.max,
  min: Math.min,
  round: Math.round,
  sin: Math.sin,
  sqrt: Math.sqrt,
  tan: Math.tan,
});
const CONSTANTS: Record<string, number> = Object.assign(Object.create(null), { pi: Math.PI, e: Math.E });

const TOKEN = /\s*(?:(\d+(?:\.\d*)?(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?)|([a-z]\w*)|([-+*/%^(),]))/iy;
const MAX_DEPTH = 100;

/**
 * Evaluates an arithmetic expression: `+ - * / % ^`, brackets, the functions and constants above. No part of the text
 * is ever run as code.
 *
 * @throws Error with the position of a syntax error, or if the result is not a finite number
 */
export function calculate(expression: string): number {
  const tokens = tokenize(expression);
  let at = 0;
  let depth = 0;
  const peek = () => tokens[at]?.text;
  const take = (text: string) => {
    if (peek() !== text) throw unexpected(`expected "${text}"`);
    at++;
  };
  const unexpected = (expected: string) => {
    const token = tokens[at];
    return new Error(
      token ? `${expected} at position ${token.at + 1}, found "${token.text}"` : `${expected} at the end`,
    );
  };
  const binary = (operators: string, next: () => number): number => {
    let left = next();
    for (let op = peek(); op !== undefined && operators.includes(op); op = peek()) {
      at++;
      left = apply(op, left, next());
    }
    return left;
  };
  const sum = (): number => binary("+-", product);
  const product = (): number => binary("*/%", signed);
  const signed = (): number => {
    if (++depth > MAX_DEPTH) throw new Error(`the expression is nested deeper than ${MAX_DEPTH}`);
    const op = peek();
    if (op === "-" || op === "+") at++;
    const value = op === "-" ? -signed() : op === "+" ? signed() : power();
    depth--;
    return value;
  };
  const power = (): number => {
    const base = atom();
    if (peek() !== "^") return base;
    at++;
    return base ** signed();
  };
  const atom = (): number => {
    const token = tokens[at];
    if (token?.kind === "number") {
      at++;
      return Number(token.text);
    }
    if (token?.kind === "name") {
      at++;
      return named(token.text.toLowerCase(), token.at);
    }
    if (token?.text !== "(") throw unexpected("expected a number");
    at++;
    const value = sum();
    take(")");
    return value;
  };
  const named = (name: string, position: number): number => {
    const constant = Object.hasOwn(CONSTANTS, name) ? CONSTANTS[name] : undefined;
    if (constant !== undefined) return constant;
    const fn = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
    if (!fn) throw new Error(`unknown name "${name}" at position ${position + 1}`);
    take("(");
    const values = [sum()];
    while (peek() === ",") {
      at++;
      values.push(sum());
    }
    take(")");
    return fn(...values);
  };

  const value = sum();
  if (at < tokens.length) throw unexpected("expected an operator");
  if (!Number.isFinite(value)) throw new Error("the result is not a finite number");
  return value;
}

interface Token {
  kind: "number" | "name" | "sign";
  text: string;
  at: number;
}

function tokenize(expression: string): Token[] {
  const text = expression.trimEnd();
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const from = TOKEN.lastIndex;
    const found = TOKEN.exec(text);
    if (!found) throw new Error(`cannot read the expression at position ${from + 1}: "${text.slice(from, from + 10)}"`);
    const [, number, name, sign] = found;
    const token = number ?? name ?? sign ?? "";
    tokens.push({
      kind: number !== undefined ? "number" : name !== undefined ? "name" : "sign",
      text: token,
      at: TOKEN.lastIndex - token.length,
    });
  }
  return tokens;
}

function apply(op: string, left: number, right: number): number {
  if ((op === "/" || op === "%") && right === 0) throw new Error("division by zero");
  switch (op) {
    case "+":
      return left + right;
    case "-":
      return left - right;
    case "*":
      return left * right;
    case "/":
      return left / right;
    default:
      return left % right;
  }
}
