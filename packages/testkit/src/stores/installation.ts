import { describe, expect, it } from 'vitest';
import type { Get } from './sample.ts';

/** What the processes on one database have in common. */
export function installationCases(get: Get): void {
  describe('an installation', () => {
    it('keeps the value of whoever came first', async () => {
      const { installation } = get();
      const given = await Promise.all(['a', 'b', 'c'].map((value) => installation.keep('key', value)));
      expect(new Set(given).size).toBe(1);
      expect(await installation.keep('key', 'late')).toBe(given[0]);
      expect(await installation.keep('another', 'late')).toBe('late');
    });

    it('lets work of one name take turns, also after work that failed, and work of another name pass', async () => {
      const { installation } = get();
      const steps: string[] = [];
      const hold = Promise.withResolvers<void>();
      const first = installation.alone('one', async () => {
        steps.push('first begins');
        await hold.promise;
        steps.push('first ends');
        throw new Error('broken');
      });
      await expect.poll(() => steps).toEqual(['first begins']);
      const second = installation.alone('one', async () => steps.push('second'));
      await installation.alone('two', async () => steps.push('other'));
      hold.resolve();
      await expect(first).rejects.toThrow('broken');
      await second;
      expect(steps).toEqual(['first begins', 'other', 'first ends', 'second']);
    });

    it('gives no turn to whom a signal has stopped', async () => {
      const stop = new AbortController();
      stop.abort(new Error('stopped'));
      await expect(get().installation.alone('one', async () => 'done', stop.signal)).rejects.toThrow('stopped');
    });

    it('agrees with itself, also when its value changes', async () => {
      const { installation } = get();
      expect(await installation.agree('key', 'a')).toBe(true);
      expect(await installation.agree('key', 'b')).toBe(true);
      expect(await installation.agree('key', 'b')).toBe(true);
    });
  });
}
