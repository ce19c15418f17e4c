/** Programs that mean harm, or look like it. `end` names how each must end; none may outlive its limit. */
export interface Hostile {
  name: string;
  code: string;
  end: "value" | "error" | "timeout" | "any";
  /** For `value`: the exact JSON. For `error`: part of the error's name or message. */
  is?: string;
}

export const HOSTILE: readonly Hostile[] = [
  // Spinning.
  { name: "an empty loop", code: "for(;;);", end: "timeout" },
  { name: "a loop that catches its interruption", code: "for(;;){try{for(;;);}catch(e){}}", end: "timeout" },
  { name: "a loop in a finally", code: "try{for(;;);}finally{for(;;);}", end: "timeout" },
  { name: "a generator without end", code: "function*g(){for(;;)yield 1} for(const x of g());", end: "timeout" },
  { name: "a getter that spins while the result is read", code: "({get a(){for(;;);}})", end: "timeout" },
  { name: "a toJSON that spins", code: "({toJSON(){for(;;);}})", end: "any" },
  { name: "a proxy whose ownKeys spins", code: "new Proxy({}, {ownKeys(){for(;;);}})", end: "timeout" },
  { name: "a valueOf that spins", code: "+{valueOf(){for(;;);}}", end: "timeout" },
  { name: "a sort whose comparison spins", code: "[3,2,1].sort(()=>{for(;;);})", end: "timeout" },
  { name: "a replace whose function spins", code: "'a'.replace(/a/,()=>{for(;;);})", end: "timeout" },
  { name: "a JSON reviver that spins", code: "JSON.parse('[1]',()=>{for(;;);})", end: "timeout" },
  { name: "an error whose message spins", code: "throw {get message(){for(;;);}}", end: "timeout" },
  { name: "a Symbol.toPrimitive that spins", code: "`${{[Symbol.toPrimitive](){for(;;);}}}`", end: "timeout" },
  {
    name: "an iterator that spins",
    code: "[...{[Symbol.iterator](){return{next(){return{done:false}}}}}]",
    end: "any",
  },
  // Memory.
  { name: "an array that grows", code: "const a=[];for(;;)a.push(new Array(1e5).fill(1))", end: "any" },
  { name: "a string that doubles", code: "let s='x';for(;;)s+=s", end: "any" },
  { name: "a 100 MB string", code: "'x'.repeat(100*1024*1024)", end: "error" },
  { name: "a string of 2^30", code: "'x'.repeat(2**30)", end: "error" },
  { name: "a typed array of 1 GB", code: "new Uint8Array(2**30)", end: "error" },
  { name: "an array buffer of 2^53", code: "new ArrayBuffer(2**53-1)", end: "error" },
  { name: "a map that grows", code: "const m=new Map();for(let i=0;;i++)m.set(i,{i})", end: "any" },
  { name: "objects that chain", code: "let o={};for(;;)o={o}", end: "any" },
  { name: "a closure chain", code: "let f=()=>0;for(;;){const g=f;f=()=>g}", end: "any" },
  { name: "padStart to 2^29", code: "'a'.padStart(2**29,'b')", end: "error" },
  { name: "join of a huge array", code: "new Array(2**28).join('ab')", end: "any" },
  { name: "a big integer power", code: "(2n**100000n)**10000n; 1", end: "any" },
  { name: "a big integer that doubles", code: "let b=1n;for(;;)b=b*b+1n+b", end: "any" },
  // Stack.
  { name: "endless recursion", code: "(function f(){f()})()", end: "error", is: "overflow" },
  { name: "recursion that catches", code: "(function f(){try{f()}finally{f()}})()", end: "any" },
  { name: "mutual recursion through toString", code: "const o={toString(){return `${o}`}};`${o}`", end: "error" },
  { name: "recursion through a getter", code: "const o={get a(){return o.a}};o.a", end: "error" },
  { name: "recursion through a proxy", code: "let p={};for(let i=0;i<1e5;i++)p=new Proxy(p,{});p.x", end: "any" },
  { name: "a deeply nested array as result", code: "let a=[];for(let i=0;i<1e5;i++)a=[a];a", end: "error" },
  { name: "a deeply nested object as result", code: "let a={};for(let i=0;i<1e5;i++)a={a};a", end: "error" },
  { name: "deep JSON text", code: "JSON.parse('['.repeat(1e5)+']'.repeat(1e5))", end: "error" },
  { name: "deep brackets in source", code: `${"[".repeat(20000)}${"]".repeat(20000)}`, end: "error" },
  {
    name: "deep parentheses in a regular expression",
    code: "new RegExp('('.repeat(1e5)+')'.repeat(1e5))",
    end: "error",
  },
  { name: "recursion through array sort", code: "(function f(){[2,1].sort(f)})()", end: "error" },
  {
    name: "recursion through JSON.stringify",
    code: "const o={toJSON(){return JSON.stringify(o)}};JSON.stringify(o)",
    end: "error",
  },
  // Regular expressions.
  { name: "catastrophic backtracking", code: "/^(a+)+$/.test('a'.repeat(40)+'!')", end: "any" },
  { name: "nested quantifiers", code: "/(x+x+)+y/.test('x'.repeat(60))", end: "any" },
  { name: "a quantifier of 2^31", code: "/a{2147483647}/.test('a')", end: "any" },
  { name: "split by a slow expression", code: "'a'.repeat(50000).split(/(a*)*b/)", end: "any" },
  // Array-likes and big lengths.
  { name: "Array.from of length 2^53", code: "Array.from({length:2**53-1})", end: "any" },
  { name: "apply with length 2^53", code: "Math.max.apply(null,{length:2**53-1})", end: "any" },
  { name: "indexOf over length 2^53", code: "Array.prototype.indexOf.call({length:2**53-1},1)", end: "any" },
  { name: "fill over length 2^53", code: "Array.prototype.fill.call({length:2**53-1},1)", end: "any" },
  { name: "reverse over length 2^53", code: "Array.prototype.reverse.call({length:2**53-1})", end: "any" },
  { name: "a sparse array of 2^32-1 as result", code: "const a=[];a.length=2**32-1;a", end: "any" },
  { name: "concat of array-likes", code: "[].concat({length:2**32,[Symbol.isConcatSpreadable]:true})", end: "any" },
  { name: "copyWithin over length 2^53", code: "Array.prototype.copyWithin.call({length:2**53-1},1,0)", end: "any" },
  // Promises.
  {
    name: "a promise flood",
    code: "(function f(){Promise.resolve().then(f);Promise.resolve().then(f)})();1",
    end: "any",
  },
  { name: "a promise that resolves itself anew", code: "(async()=>{for(;;)await 0})()", end: "timeout" },
  { name: "a promise that never settles", code: "new Promise(()=>{})", end: "error", is: "never settles" },
  { name: "a thenable that recurses", code: "const t={then(r){r(t)}};Promise.resolve(t)", end: "any" },
  { name: "a rejected promise", code: "Promise.reject(new Error('no'))", end: "error", is: "no" },
  // Prototype tricks.
  { name: "JSON.stringify replaced", code: "JSON.stringify=()=>'\"evil\"';({a:1})", end: "value", is: '{"a":1}' },
  { name: "JSON.parse replaced", code: "JSON.parse=()=>{throw 1};call_tool('s','t',{}).ok", end: "value", is: "true" },
  { name: "Object.keys replaced", code: "Object.keys=()=>{throw 1};({a:1})", end: "value", is: '{"a":1}' },
  { name: "Array.isArray replaced", code: "Array.isArray=()=>false;[1,2]", end: "value", is: "[1,2]" },
  { name: "Object.prototype.toJSON planted", code: "Object.prototype.toJSON=()=>'evil';({a:1})", end: "any" },
  {
    name: "Array.prototype.toJSON planted before a call",
    code: "Array.prototype.toJSON=()=>'evil';call_tool('s','t',{})",
    end: "any",
  },
  {
    name: "Object.prototype setters",
    code: "Object.defineProperty(Object.prototype,'ok',{set(){for(;;);}});call_tool('s','t',{}).ok",
    end: "value",
    is: "true",
  },
  {
    name: "Array.prototype.push replaced",
    code: "Array.prototype.push=()=>{throw 1};console.log('a');1",
    end: "value",
    is: "1",
  },
  {
    name: "Function.prototype.call replaced",
    code: "Function.prototype.call=()=>{throw 1};call_tool('s','t',{}).ok",
    end: "value",
    is: "true",
  },
  {
    name: "Error.prototype.toString replaced",
    code: "Error.prototype.toString=()=>{throw 1};throw new Error('x')",
    end: "error",
    is: "x",
  },
  { name: "Error.prepareStackTrace", code: "Error.prepareStackTrace=()=>{for(;;);};throw new Error('x')", end: "any" },
  { name: "Set.prototype.has replaced", code: "Set.prototype.has=()=>true;({a:{}})", end: "value", is: '{"a":{}}' },
  { name: "__proto__ in the result", code: 'JSON.parse(\'{"__proto__":{"x":1}}\')', end: "any" },
  {
    name: "globalThis emptied",
    code: "for(const k of Object.getOwnPropertyNames(globalThis))try{delete globalThis[k]}catch{};1",
    end: "value",
    is: "1",
  },
  {
    name: "globalThis frozen",
    code: "Object.freeze(globalThis);Object.freeze(Object.prototype);1",
    end: "value",
    is: "1",
  },
  // Getters and proxies in arguments.
  {
    name: "a getter in arguments throws",
    code: "call_tool('s','t',{get a(){throw new Error('boom')}})",
    end: "error",
    is: "boom",
  },
  { name: "a proxy as arguments", code: "call_tool('s','t',new Proxy({a:1},{})).ok", end: "value", is: "true" },
  {
    name: "circular arguments",
    code: "const a={};a.a=a;call_tool('s','t',a).error.code",
    end: "value",
    is: '"INVALID_ARGS"',
  },
  {
    name: "a big integer in arguments",
    code: "call_tool('s','t',{a:1n}).error.code",
    end: "value",
    is: '"INVALID_ARGS"',
  },
  { name: "16 MB of arguments", code: "call_tool('s','t',{a:'x'.repeat(16*1024*1024)}).error.code", end: "any" },
  { name: "a result that changes while it is read", code: "let n=0;({get a(){return n++?()=>1:1}})", end: "any" },
  // Text.
  { name: "NUL characters", code: "'a\\u0000b'", end: "value", is: '"a\\u0000b"' },
  { name: "lone surrogates", code: "'\\ud800'", end: "value", is: '"\\ud800"' },
  { name: "NUL in a log", code: "console.log('a\\0b');1", end: "value", is: "1" },
  // Floods.
  { name: "a console flood", code: "for(let i=0;i<1e6;i++)console.log('x'.repeat(1000));1", end: "any" },
  { name: "a console line of 50 MB", code: "console.log('x'.repeat(20*1024*1024));1", end: "any" },
  { name: "a flood of tool calls", code: "for(;;)call_tool('s','t',{})", end: "timeout" },
  // Reaching out.
  { name: "require", code: "require('fs')", end: "error", is: "require" },
  { name: "import of a module", code: "import('node:fs')", end: "error" },
  { name: "an import statement", code: "import fs from 'fs'", end: "error" },
  { name: "process", code: "process.env", end: "error", is: "process" },
  { name: "fetch", code: "fetch('http://127.0.0.1')", end: "error", is: "fetch" },
  { name: "setTimeout", code: "setTimeout(()=>{},1)", end: "error", is: "setTimeout" },
  { name: "setInterval", code: "setInterval(()=>{},1)", end: "error", is: "setInterval" },
  {
    name: "queueMicrotask spins",
    code: "typeof queueMicrotask==='undefined'?1:queueMicrotask(function f(){queueMicrotask(f)})",
    end: "any",
  },
  {
    name: "the constructor chain to process",
    code: "call_tool.constructor.constructor('return process')()",
    end: "error",
    is: "process",
  },
  {
    name: "the constructor chain to globalThis",
    code: "typeof console.log.constructor('return this')().process",
    end: "value",
    is: '"undefined"',
  },
  {
    name: "an error's constructor chain",
    code: "try{null.x}catch(e){typeof e.constructor.constructor('return globalThis')().require}",
    end: "value",
    is: '"undefined"',
  },
  { name: "the host function by a stack walk", code: "(function f(){return f.caller})()", end: "any" },
  {
    name: "SharedArrayBuffer and Atomics",
    code: "typeof Atomics==='undefined'||typeof SharedArrayBuffer==='undefined'?1:Atomics.wait(new Int32Array(new SharedArrayBuffer(4)),0,0,1e9)",
    end: "any",
  },
  { name: "std and os", code: "typeof std+typeof os", end: "value", is: '"undefinedundefined"' },
  { name: "WebAssembly", code: "typeof WebAssembly", end: "value", is: '"undefined"' },
];
