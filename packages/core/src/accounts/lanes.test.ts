import { describe, expect, it } from 'vitest';
import { createLanes } from './lanes.ts';

const refuse = (): Error => new Error('full');

describe('createLanes', () => {
  it('runs a key at most as wide as told, in the order of arrival, and other keys beside it', async () => {
    const lanes = createLanes({ width: 2, maxWaiting: 9, refuse });
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

  it('refuses what would wait behind too many, and takes more when one has gone', async () => {
    const lanes = createLanes({ width: 1, maxWaiting: 1, refuse });
    const gate = Promise.withResolvers<void>();
    const [first, second] = [lanes.run('a', () => gate.promise), lanes.run('a', async () => 'second')];
    await expect(lanes.run('a', async () => 'third')).rejects.toThrow('full');
    expect(await lanes.run('b', async () => 'other')).toBe('other');
    gate.resolve();
    await first;
    expect(await second).toBe('second');
    expect(await lanes.run('a', async () => 'third')).toBe('third');
  });

  it('goes on after work that failed', async () => {
    const lanes = createLanes({ width: 1, maxWaiting: 9, refuse });
    await expect(lanes.run('a', () => Promise.reject(new Error('bad')))).rejects.toThrow('bad');
    expect(await lanes.run('a', async () => 'good')).toBe('good');
  });
});
