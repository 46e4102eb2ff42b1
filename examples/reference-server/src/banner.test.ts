import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { shellQuote } from './banner.ts';

it.each(["plain", "it's", `a"b'c$d\`e`, '{"password":"x\\y"}'])('shellQuote gives %s back through a shell', (text) => {
  expect(execFileSync('sh', ['-c', `printf %s ${shellQuote(text)}`], { encoding: 'utf8' })).toBe(text);
});
