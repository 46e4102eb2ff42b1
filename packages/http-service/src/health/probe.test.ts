import { createManualTime } from '@headwater/core/testing';
import { expect, test } from 'vitest';
import { createProbe } from './probe.ts';
import { type HealthPart, ok } from './report.ts';

const SETTINGS = { freshMs: 1000, deadlineMs: 2500 };

function probed(look: () => Promise<HealthPart>) {
  const time = createManualTime();
  return { time, probe: createProbe(look, SETTINGS, { clock: time, timers: time }) };
}

test('a part is looked at once a second at most, however often it is asked for', async () => {
  let looks = 0;
  const { time, probe } = probed(async () => ok(`look ${(looks += 1)}`));
  const first = await Promise.all(Array.from({ length: 50 }, probe));
  expect(new Set(first.map(({ detail }) => detail))).toEqual(new Set(['look 1']));
  await time.advance(999);
  expect((await probe()).detail).toBe('look 1');
  await time.advance(1);
  expect((await probe()).detail).toBe('look 2');
  expect(looks).toBe(2);
});

test('a failure is told with its reason, and the part is well again when the next look is', async () => {
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

test('a look that hangs holds nobody up, is the only one, and fails at its deadline; when it ends the part is well again', async () => {
  const { promise, resolve } = Promise.withResolvers<HealthPart>();
  let looks = 0;
  const { time, probe } = probed(() => {
    looks += 1;
    return promise;
  });
  const first = probe();
  await time.advance(700);
  expect((await first).state).toBe('starting');
  await time.advance(1800);
  expect(await probe()).toEqual({ state: 'failing', detail: 'no answer for 3 s' });
  await time.advance(60_000);
  expect((await probe()).detail).toBe('no answer for 63 s');
  expect(looks).toBe(1);
  resolve(ok('late'));
  await time.advance(0);
  expect(await probe()).toEqual(ok('late'));
});

test('while a later look takes its time, what was seen before is told', async () => {
  const { promise } = Promise.withResolvers<HealthPart>();
  let looks = 0;
  const { time, probe } = probed(async () => ((looks += 1) === 1 ? ok('first') : promise));
  await probe();
  await time.advance(1000);
  const second = probe();
  await time.advance(700);
  expect((await second).detail).toBe('first');
  await time.advance(1800);
  expect((await probe()).state).toBe('failing');
});

test('what was seen too long ago is not told: nobody knows before the look that is under way has ended', async () => {
  const time = createManualTime();
  let looks = 0;
  const look = async (): Promise<HealthPart> => ((looks += 1) === 1 ? ok('well') : new Promise(() => {}));
  const settings = { freshMs: 5000, deadlineMs: 5000, toldForMs: 10_000 };
  const probe = createProbe(look, settings, { clock: time, timers: time });
  expect((await probe()).state).toBe('ok');
  await time.advance(300_000);
  const asked = probe();
  await time.advance(700);
  expect(await asked).toEqual({
    state: 'starting',
    detail: 'a look at it is under way; 301 s ago it was ok',
  });
  await time.advance(4300);
  expect((await probe()).state).toBe('failing');
});

test('a part that is not well is looked at sooner where its settings say so', async () => {
  const time = createManualTime();
  let looks = 0;
  const look = async (): Promise<HealthPart> => ((looks += 1) === 1 ? { state: 'failing' } : ok('well'));
  const probe = createProbe(look, { freshMs: 60_000, againMs: 5000, deadlineMs: 100 }, { clock: time, timers: time });
  expect((await probe()).state).toBe('failing');
  await time.advance(5000);
  expect((await probe()).state).toBe('ok');
  await time.advance(59_999);
  await probe();
  expect(looks).toBe(2);
});
