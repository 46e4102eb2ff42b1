import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bench, CLAIM, deliverable, type Bench } from './bench.fixture.ts';

describe('folders of attempts', () => {
  let b: Bench;
  beforeEach(() => {
    b = bench();
  });
  afterEach(() => b.stopAll());

  it('are removed when a worker starts, if the attempts failed; folders of unknown runs stay', async () => {
    const failed = await b.start(1);
    const run = await b.stores.runs.claim(CLAIM);
    await b.assets.begin(failed, 1);
    await b.stores.runs.fail(failed, run?.token ?? 0, { code: 'input_data', message: 'bad' });
    await b.assets.begin('of-another-database', 1);
    await b.time.advance(1);
    const id = await b.start(1);
    b.worker().start();
    (await b.step()).finish(deliverable(['a']));
    await b.time.advance(0);
    expect(b.assets.attempts()).toEqual([`${id}/1`, 'of-another-database/1'].sort());
  });

  it('with replaced Items stay for a day after the replacement, and are removed when the next run is executed', async () => {
    b.worker({ idleMs: 86_400_000 }).start();
    const runOnce = async (): Promise<string> => {
      const id = await b.start(1);
      (await b.step()).finish(deliverable(['a']));
      await b.time.advance(0);
      return id;
    };
    const first = await runOnce();
    await b.time.advance(5 * 86_400_000);
    const second = await runOnce();
    expect(b.assets.attempts()).toEqual([`${first}/1`, `${second}/1`].sort());
    await b.time.advance(86_400_001);
    const third = await runOnce();
    expect(b.assets.attempts()).toEqual([`${second}/1`, `${third}/1`].sort());
  });

  it('with replaced Items stay for a day, also if the worker restarts, and are removed at the first start after that day', async () => {
    const runOnce = async (): Promise<string> => {
      const worker = b.worker();
      worker.start();
      const id = await b.start(1);
      (await b.step()).finish(deliverable(['a']));
      await b.time.advance(0);
      await worker.stop({ graceMs: 1 });
      return id;
    };
    const restart = async (): Promise<void> => {
      const worker = b.worker();
      worker.start();
      await b.time.advance(0);
      await worker.stop({ graceMs: 1 });
    };
    const first = await runOnce();
    const second = await runOnce();
    for (let hours = 0; hours < 24; hours += 8) {
      await restart();
      expect(b.assets.attempts()).toEqual([`${first}/1`, `${second}/1`].sort());
      await b.time.advance(8 * 3_600_000);
    }
    await restart();
    expect(b.assets.attempts()).toEqual([`${second}/1`]);
  });

  it("with replaced Items stay for the time in the worker's settings", async () => {
    const worker = b.worker({ keepReplacedMs: 0, idleMs: 1000 });
    worker.start();
    for (const n of [1, 2]) {
      await b.start(n);
      (await b.step()).finish(deliverable(['a']));
      await b.time.advance(1);
    }
    expect(b.assets.attempts()).toHaveLength(1);
  });
});
