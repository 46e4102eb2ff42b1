import { expect, test } from 'vitest';
import { keepQueries } from './kept-queries.ts';

function counted(): { readonly read: (text: string) => { readonly text: string }; readonly asked: string[] } {
  const asked: string[] = [];
  const read = (text: string): { readonly text: string } => {
    asked.push(text);
    if (text === 'bad') throw new Error('bad');
    return { text };
  };
  return { read, asked };
}

test('a text is read once, and its value is the same one again', () => {
  const { read, asked } = counted();
  const kept = keepQueries(read);
  expect(kept('a=1')).toBe(kept('a=1'));
  expect(kept('a=2')).toEqual({ text: 'a=2' });
  expect(asked).toEqual(['a=1', 'a=2']);
});

test('a refusal is not kept, nor is a long text', () => {
  const { read, asked } = counted();
  const kept = keepQueries(read, { most: 10, longest: 5 });
  for (const text of ['bad', 'bad']) expect(() => kept(text)).toThrow('bad');
  expect(kept('123456')).toEqual(kept('123456'));
  expect(asked).toEqual(['bad', 'bad', '123456', '123456']);
});

test('what was asked for lately stays, what was not is forgotten', () => {
  const { read, asked } = counted();
  const kept = keepQueries(read, { most: 2, longest: 5 });
  for (const text of ['a', 'b', 'c', 'a', 'd']) kept(text);
  expect(asked).toEqual(['a', 'b', 'c', 'd']);
  // The half with `b` went when `d` came; `a` had moved to the younger one by then.
  for (const text of ['a', 'b']) kept(text);
  expect(asked).toEqual(['a', 'b', 'c', 'd', 'b']);
});
