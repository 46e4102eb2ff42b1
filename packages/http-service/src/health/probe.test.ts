import { createManualTime } from '@headwater/core/testing';
import { expect, test } from 'vitest';
import { createProbe } from './probe.ts';
import { type HealthPart, ok } from './report.ts';

const SETTINGS = { freshMs: 1000, deadlineMs: 2500 };

function probed(check: () => Promise<HealthPart>) {
  const time = createManualTime();
  return { time, probe: createProbe(check, SETTINGS, { clock: time, timers: time }) };
}

test('probes a part at most once a second', async () => {
  let checks = 0;
  const { time, probe } = probed(async () => ok(`check ${(checks += 1)}`));
  const first = await Promise.all(Array.from({ length: 50 }, probe));
  expect(new Set(first.map(({ detail }) => detail))).toEqual(new Set(['check 1']));
  await time.advance(999);
  expect((await probe()).detail).toBe('check 1');
  await time.advance(1);
  expect((await probe()).detail).toBe('check 2');
  expect(checks).toBe(2);
});

test('reports a failure with its reason, and recovers with the next probe', async () => {
  let broken = true;
  const { time, probe } = probed(async () => {
    if (broken) throw new Error('no route to it');
    return ok('there');
  });
  expect(await probe()).toEqual({ state: 'failing', detail: 'no route to it' });
  broken = false;
  await time.advance(1000);
  expect(await probe()).toEqual({ state: 'ok', detail: 'there' });
});

test('while a check hangs, callers do not wait and no second check starts; the part fails at the deadline and recovers when the check ends', async () => {
  const { promise, resolve } = Promise.withResolvers<HealthPart>();
  let checks = 0;
  const { time, probe } = probed(() => {
    checks += 1;
    return promise;
  });
  const first = probe();
  await time.advance(700);
  expect((await first).state).toBe('starting');
  await time.advance(1800);
  expect(await probe()).toEqual({ state: 'failing', detail: 'no answer for 3 s' });
  await time.advance(60_000);
  expect((await probe()).detail).toBe('no answer for 63 s');
  expect(checks).toBe(1);
  resolve(ok('late'));
  await time.advance(0);
  expect(await probe()).toEqual(ok('late'));
});

test('reports the previous result while a later probe is slow', async () => {
  const { promise } = Promise.withResolvers<HealthPart>();
  let checks = 0;
  const { time, probe } = probed(async () => ((checks += 1) === 1 ? ok('first') : promise));
  await probe();
  await time.advance(1000);
  const second = probe();
  await time.advance(700);
  expect((await second).detail).toBe('first');
  await time.advance(1800);
  expect((await probe()).state).toBe('failing');
});

test('an expired result is not reported; the state is starting until the next check ends', async () => {
  const time = createManualTime();
  let checks = 0;
  const check = async (): Promise<HealthPart> => ((checks += 1) === 1 ? ok('well') : new Promise(() => {}));
  const settings = { freshMs: 5000, deadlineMs: 5000, expiresMs: 10_000 };
  const probe = createProbe(check, settings, { clock: time, timers: time });
  expect((await probe()).state).toBe('ok');
  await time.advance(300_000);
  const report = probe();
  await time.advance(700);
  expect(await report).toEqual({
    state: 'starting',
    detail: 'a new check is in progress; 301 s ago the result was ok',
  });
  await time.advance(4300);
  expect((await probe()).state).toBe('failing');
});

test('probes a failing part sooner if its settings have againMs', async () => {
  const time = createManualTime();
  let checks = 0;
  const check = async (): Promise<HealthPart> => ((checks += 1) === 1 ? { state: 'failing' } : ok('well'));
  const probe = createProbe(check, { freshMs: 60_000, againMs: 5000, deadlineMs: 100 }, { clock: time, timers: time });
  expect((await probe()).state).toBe('failing');
  await time.advance(5000);
  expect((await probe()).state).toBe('ok');
  await time.advance(59_999);
  await probe();
  expect(checks).toBe(2);
});
