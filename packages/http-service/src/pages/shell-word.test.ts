import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { shellWord } from './shell-word.ts';

it.each(['plain', "it's", `a"b'c$d\`e`, '{"password":"x\\y"}', 'http://h/;curl$IFS1|sh;/', ''])(
  'a shell reads shellWord of %s as the same text',
  (text) => {
    expect(execFileSync('sh', ['-c', `printf %s ${shellWord(text)}`], { encoding: 'utf8' })).toBe(text);
  },
);
