import { describe, expect, it } from 'vitest';
import { cacheLongKeys } from './long-keys.ts';

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

describe('cacheLongKeys', () => {
  it('computes the keys of an object with many members once', () => {
    const target = counted();
    const library = withMembers(2000);
    cacheLongKeys(target);
    const lists = [target.keys(library), target.keys(library), target.keys(library)];
    expect(lists).toEqual([Object.keys(library), Object.keys(library), Object.keys(library)]);
    expect(target.lists).toBe(1);
  });

  it('does not cache the keys of a small object, because its members may change', () => {
    const target = counted();
    const small: Record<string, number> = { one: 1 };
    cacheLongKeys(target);
    expect(target.keys(small)).toEqual(['one']);
    small['two'] = 2;
    expect(target.keys(small)).toEqual(['one', 'two']);
  });

  it('caches only the keys of the last object', () => {
    const target = counted();
    const [one, other] = [withMembers(2000), withMembers(3000)];
    cacheLongKeys(target);
    for (const library of [one, other, other, one]) expect(target.keys(library)).toEqual(Object.keys(library));
    expect(target.lists).toBe(3);
  });
});
