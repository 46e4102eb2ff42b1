import { stripTypeScriptTypes } from 'node:module';

const FUNCTION = 'export function f(a: number, b: string): Promise<number> { return g<number>(a as never); }\n';

// A thread: enough for V8 to compile a wrapper of what the WebAssembly calls, as a thread that loads a hundred modules does.
for (let i = 0; i < 60; i += 1) stripTypeScriptTypes(FUNCTION.repeat(20));
