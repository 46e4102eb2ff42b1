import { stripTypeScriptTypes } from 'node:module';

const FUNCTION = 'export function f(a: number, b: string): Promise<number> { return g<number>(a as never); }\n';

// Makes as many WebAssembly calls as a thread that loads a hundred modules. After this number of calls, V8 compiles a
// wrapper for the called function.
for (let i = 0; i < 60; i += 1) stripTypeScriptTypes(FUNCTION.repeat(20));
