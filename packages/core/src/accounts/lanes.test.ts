import { describe, expect, it } from 'vitest';
import { createLanes } from './lanes.ts';

describe('createLanes', () => {
  it('runs a key at most as wide as told, in the order of arrival, and other keys beside it', async () => {
    const lanes = createLanes(2);
    const begun: string[] = [];
    const gates = new Map<string, () => void>();
    const work = (key: string, name: string) =>
      lanes.run(key, async () => {
        begun.push(name);
        await new Promise<void>((resolve) => gates.set(name, resolve));
        return name;
      });
    const all = ['a1', 'a2', 'a3', 'a4'].map((name) => work('a', name));
    const other = work('b', 'b1');
    expect(begun).toEqual(['a1', 'a2', 'b1']);
    gates.get('a2')?.();
    expect(await all[1]).toBe('a2');
    expect(begun).toEqual(['a1', 'a2', 'b1', 'a3']);
    for (const name of ['a1', 'a3']) gates.get(name)?.();
    await Promise.all([all[0], all[2]]);
    gates.get('a4')?.();
    gates.get('b1')?.();
    expect(await Promise.all([...all, other])).toEqual(['a1', 'a2', 'a3', 'a4', 'b1']);
  });

  it('goes on after work that failed', async () => {
    const lanes = createLanes(1);
    await expect(lanes.run('a', () => Promise.reject(new Error('bad')))).rejects.toThrow('bad');
    expect(await lanes.run('a', async () => 'good')).toBe('good');
  });
});
