import { expect, it } from 'vitest';
import { Draft } from './draft.ts';

it('a draft does not change its input; a later write does not change values that the draft has reported', () => {
  const input = { parts: [[1], [2]], name: 'a' };
  const draft = new Draft(input);
  draft.write(['parts', 0, 0], 'first', 10);
  draft.write(['parts', 1, 0], 'second', 20);
  const first = draft.read(['parts', 0]);
  draft.write(['parts'], 'turned', [[20], first]);
  draft.write(['parts', 1, 0], 'third', 11);
  draft.write(['name'], 'taken out', undefined);
  expect(input).toEqual({ parts: [[1], [2]], name: 'a' });
  expect(draft.document).toEqual({ parts: [[20], [11]] });
  expect(draft.repairs).toEqual([
    { pointer: '/parts/0/0', rule: 'first', before: 1, after: 10 },
    { pointer: '/parts/1/0', rule: 'second', before: 2, after: 20 },
    { pointer: '/parts', rule: 'turned', before: [[10], [20]], after: [[20], [10]] },
    { pointer: '/parts/1/0', rule: 'third', before: 10, after: 11 },
    { pointer: '/name', rule: 'taken out', before: 'a', after: undefined },
  ]);
});

it('a draft accepts members with names of built-in members, such as constructor', () => {
  const input: unknown = JSON.parse('{"assets": {"__proto__": {"created": 1}}}');
  const draft = new Draft(input);
  draft.write(['assets', '__proto__', 'created'], 'time', 2);
  expect(JSON.stringify(draft.document)).toBe('{"assets":{"__proto__":{"created":2}}}');
  expect(Reflect.get({}, 'created')).toBeUndefined();
});
