import { stripTypeScriptTypes } from 'node:module';

const FUNCTION = 'export function f(a: number, b: string): Promise<number> { return g<number>(a as never); }\n';

// Enough calls for V8 to compile a wrapper of the WebAssembly calls, like a thread that loads a hundred modules.
for (let i = 0; i < 60; i += 1) stripTypeScriptTypes(FUNCTION.repeat(20));
