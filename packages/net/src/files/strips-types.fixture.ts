import { stripTypeScriptTypes } from 'node:module';

const FUNCTION = 'export function f(a: number, b: string): Promise<number> { return g<number>(a as never); }\n';

for (let i = 0; i < 60; i += 1) stripTypeScriptTypes(FUNCTION.repeat(20));
