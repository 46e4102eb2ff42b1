import { setImmediate } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { withoutBody } from './unsent-response.ts';

it('an answer to HEAD whose stream fails to end leaves no rejection that nothing handles', async () => {
  const unhandled: unknown[] = [];
  const note = (error: unknown): void => void unhandled.push(error);
  process.on('unhandledRejection', note);
  onTestFinished(() => void process.off('unhandledRejection', note));
  let isCancelled = false;
  const cancel = async (): Promise<void> => {
    isCancelled = true;
    throw new Error('the file is gone');
  };
  expect(withoutBody({ status: 200, headers: {}, body: new ReadableStream({ cancel }) }).body).toBeUndefined();
  await setImmediate();
  expect([isCancelled, unhandled]).toEqual([true, []]);
});
