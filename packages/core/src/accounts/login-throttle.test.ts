import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createManualTime } from '../memory/manual-time.ts';
import { memoryThrottle } from '../memory/sign-in.ts';
import { createLoginThrottle } from './login-throttle.ts';

const LIMITS = { windowMs: 1000, perNameAtAddress: 3, perName: 1000, perAddress: 1000 };
const PARTS = { limits: LIMITS, report: () => {} };

describe('createLoginThrottle', () => {
  it('never checks more than the limit within any window, and always again after a quiet one', async () => {
    const steps = fc.array(fc.integer({ min: 0, max: 600 }), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(steps, async (pauses) => {
        let nowMs = 1_000_000;
        const throttle = createLoginThrottle({
          ...PARTS,
          store: memoryThrottle(),
          clock: { now: () => new Date(nowMs) },
        });
        const checked: number[] = [];
        const refused: unknown[] = [];
        const wrongGuess = async (): Promise<undefined> => void checked.push(nowMs);
        const attempt = () => throttle.guard({ username: 'asha', remoteAddress: '10.0.0.1' }, wrongGuess);
        for (const pause of pauses) {
          nowMs += pause;
          refused.push(...(await Promise.allSettled([attempt()])).filter(({ status }) => status === 'rejected'));
        }
        const throttled = { status: 'rejected', reason: expect.objectContaining({ code: 'throttled' }) };
        expect(refused).toEqual(refused.map(() => throttled));
        expect(checked.length + refused.length).toBe(pauses.length);
        for (const at of checked) {
          const inWindow = checked.filter((other) => other >= at && other < at + LIMITS.windowMs);
          expect(inWindow.length).toBeLessThanOrEqual(LIMITS.perNameAtAddress);
        }
        nowMs += LIMITS.windowMs;
        const before = checked.length;
        await attempt();
        expect(checked).toHaveLength(before + 1);
      }),
    );
  });

  it('the wait that it names is enough', async () => {
    const time = createManualTime();
    const throttle = createLoginThrottle({ ...PARTS, store: memoryThrottle(), clock: time });
    const wrong = () => throttle.guard({ username: 'asha', remoteAddress: undefined }, async () => undefined);
    for (let index = 0; index < 3; index += 1) await wrong();
    const error: unknown = await wrong().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'throttled', details: { retryAfterSeconds: 1 } });
    await time.advance(1000);
    expect(await wrong()).toBeUndefined();
  });

  it('passes errors of the check on and counts nothing for them', async () => {
    const throttle = createLoginThrottle({ ...PARTS, store: memoryThrottle(), clock: createManualTime() });
    const broken = () =>
      throttle.guard({ username: 'asha', remoteAddress: '::1' }, () => Promise.reject(new Error('down')));
    for (let index = 0; index < 5; index += 1) await expect(broken()).rejects.toThrow('down');
  });
});
