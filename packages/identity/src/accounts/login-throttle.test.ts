import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createManualTime, type ManualTime } from '@headwater/core/testing';
import { memoryThrottle } from '../memory/sign-in.ts';
import { createLoginThrottle, LOGIN_LIMITS, type LoginThrottle } from './login-throttle.ts';

const LIMITS = { windowMs: 1000, perNameAtAddress: 3, perName: 1000, perAddress: 1000 };
const PARTS = { limits: LIMITS, report: () => {}, timers: createManualTime() };

describe('createLoginThrottle', () => {
  it('checks at most the permitted number of attempts within a window, and always checks an attempt after a window without attempts', async () => {
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

  it('checks a retry after the seconds in the error of the refusal', async () => {
    const time = createManualTime();
    const throttle = createLoginThrottle({ ...PARTS, store: memoryThrottle(), clock: time });
    const wrong = () => throttle.guard({ username: 'asha', remoteAddress: undefined }, async () => undefined);
    for (let index = 0; index < 3; index += 1) await wrong();
    const error: unknown = await wrong().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'throttled', details: { retryAfterSeconds: 1 } });
    await time.advance(1000);
    expect(await wrong()).toBeUndefined();
  });

  it('rethrows errors of the check and does not count them', async () => {
    const throttle = createLoginThrottle({ ...PARTS, store: memoryThrottle(), clock: createManualTime() });
    const broken = () =>
      throttle.guard({ username: 'asha', remoteAddress: '::1' }, () => Promise.reject(new Error('down')));
    for (let index = 0; index < 5; index += 1) await expect(broken()).rejects.toThrow('down');
  });
});

function guessing(throttle: LoginThrottle, { addresses, hashMs, time }: Crowd): { readonly checked: () => number } {
  let checked = 0;
  const guessAt = async (remoteAddress: string): Promise<void> => {
    for (let tries = 0; tries < 50; tries += 1) {
      const wrong = async (): Promise<undefined> => {
        checked += 1;
        await time.sleep(hashMs);
      };
      await throttle.guard({ username: 'asha', remoteAddress }, wrong).catch(() => time.sleep(1000));
    }
  };
  for (let n = 0; n < addresses; n += 1) void guessAt(`10.1.${n >> 8}.${n & 255}`);
  return { checked: () => checked };
}

interface Crowd {
  readonly addresses: number;
  readonly hashMs: number;
  readonly time: ManualTime;
}

describe('many guesses', () => {
  async function ownerSignsIn(throttle: LoginThrottle, time: ManualTime): Promise<number> {
    const from = time.now().getTime();
    for (;;) {
      try {
        const right = async (): Promise<string> => {
          await time.sleep(200);
          return 'in';
        };
        await throttle.guard({ username: 'asha', remoteAddress: '10.9.9.9' }, right);
        return time.now().getTime() - from;
      } catch (error) {
        const { details } = error as { details: { retryAfterSeconds: number } };
        await time.sleep(details.retryAfterSeconds * 1000);
      }
    }
  }

  it.each([
    ['that has no failures yet', 0],
    ['that has reached its limit over all addresses', LOGIN_LIMITS.perName],
  ])(
    'from many addresses delay the attempts for a name %s, but its owner can still sign in from a new address',
    async (_, failed) => {
      const time = createManualTime();
      const store = memoryThrottle();
      for (let n = 0; n < failed; n += 1) await store.fail('name:asha', time.now().getTime());
      const throttle = createLoginThrottle({ ...PARTS, limits: LOGIN_LIMITS, store, clock: time, timers: time });
      const { checked } = guessing(throttle, { addresses: 70, hashMs: 200, time });
      await time.advance(0);
      const waitedMs: number[] = [];
      void ownerSignsIn(throttle, time).then((ms) => waitedMs.push(ms));
      // After a few checks, a guessing client has more failures than the owner, so the owner is checked first.
      for (let seconds = 0; seconds < 150 && waitedMs.length === 0; seconds += 1) await time.advance(1000);
      expect(waitedMs[0]).toBeLessThan(150_000);
      await time.advance(30_000);
      const guesses = checked();
      await time.advance(30_000);
      // Each check takes 0.2 s and a pause of 1 s: at most one check in 1.2 s.
      expect(checked() - guesses).toBeLessThanOrEqual(26);
    },
  );

  it('for a name above its limit are refused from an address with many failures, and checked from an address with few failures', async () => {
    const time = createManualTime();
    const limits = { windowMs: 60_000, perNameAtAddress: 10, perName: 5, perAddress: 100 };
    const throttle = createLoginThrottle({ ...PARTS, limits, store: memoryThrottle(), clock: time, timers: time });
    const wrong = (remoteAddress: string) => throttle.guard({ username: 'asha', remoteAddress }, async () => undefined);
    for (let n = 0; n < 5; n += 1) await wrong('10.1.0.1');
    await expect(wrong('10.1.0.1')).rejects.toMatchObject({ code: 'throttled', details: { retryAfterSeconds: 60 } });
    for (const _ of ['first', 'second', 'third']) {
      const answer = wrong('10.1.0.2');
      await time.advance(1000);
      expect(await answer).toBeUndefined();
    }
    await expect(wrong('10.1.0.2')).rejects.toMatchObject({ code: 'throttled' });
  });

  it('above the number that may wait at the same time are refused as simultaneous, also if none has failed', async () => {
    const time = createManualTime();
    const throttle = createLoginThrottle({ ...PARTS, limits: LOGIN_LIMITS, store: memoryThrottle(), clock: time });
    const gate = Promise.withResolvers<string>();
    const all = Array.from({ length: 200 }, () =>
      throttle.guard({ username: 'asha', remoteAddress: '10.0.0.1' }, () => gate.promise),
    );
    await expect(Promise.race(all)).rejects.toMatchObject({
      code: 'throttled',
      message: 'Too many simultaneous sign-ins; try again in 1 s.',
      details: { retryAfterSeconds: 1, isSimultaneous: true },
    });
    gate.resolve('right');
    const results = await Promise.allSettled(all);
    expect(results.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0);
  });

  it('from many addresses do not delay an address from which the name has signed in during the last 90 days, even after a restart', async () => {
    const time = createManualTime();
    const parts = { ...PARTS, limits: LOGIN_LIMITS, store: memoryThrottle(), clock: time, timers: time };
    const right = (throttle: LoginThrottle) =>
      throttle.guard({ username: 'asha', remoteAddress: '10.9.9.9' }, async (rank) => `rank ${rank}`);
    expect(await right(createLoginThrottle(parts))).toBe('rank 1');
    const restarted = createLoginThrottle(parts);
    guessing(restarted, { addresses: 70, hashMs: 200, time });
    await time.advance(60_000);
    expect(await right(restarted)).toBe('rank 0');
    await time.advance(90 * 86_400_000 + 1);
    expect(await right(createLoginThrottle(parts))).toBe('rank 1');
  });
});
