import { describe, expect, it } from 'vitest';
import { keepLongKeys } from './long-keys.ts';

/** A stand-in for `Object` that counts how often something was listed. */
function counted() {
  const target = {
    lists: 0,
    keys(value: object): string[] {
      target.lists += 1;
      return Object.keys(value);
    },
  };
  return target;
}

const withMembers = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`name${n}`, n]));

describe('keepLongKeys', () => {
  it('lists an object with many members once', () => {
    const target = counted();
    const library = withMembers(2000);
    keepLongKeys(target);
    const lists = [target.keys(library), target.keys(library), target.keys(library)];
    expect(lists).toEqual([Object.keys(library), Object.keys(library), Object.keys(library)]);
    expect(target.lists).toBe(1);
  });

  it('lists a small one anew, for it may have changed', () => {
    const target = counted();
    const small: Record<string, number> = { one: 1 };
    keepLongKeys(target);
    expect(target.keys(small)).toEqual(['one']);
    small['two'] = 2;
    expect(target.keys(small)).toEqual(['one', 'two']);
  });

  it('keeps one list, that of the object which was listed last', () => {
    const target = counted();
    const [one, other] = [withMembers(2000), withMembers(3000)];
    keepLongKeys(target);
    for (const library of [one, other, other, one]) expect(target.keys(library)).toEqual(Object.keys(library));
    expect(target.lists).toBe(3);
  });
});
