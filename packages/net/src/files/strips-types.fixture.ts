import { stripTypeScriptTypes } from 'node:module';

const FUNCTION = 'export function f(a: number, b: string): Promise<number> { return g<number>(a as never); }\n';

// After this number of WebAssembly calls, V8 compiles a wrapper for the function.
for (let i = 0; i < 60; i += 1) stripTypeScriptTypes(FUNCTION.repeat(20));
