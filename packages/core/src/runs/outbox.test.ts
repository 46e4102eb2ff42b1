import { expect, it } from 'vitest';
import { createManualTime } from '../testing/manual-time.ts';
import { createOutbox, type UnsentEvent } from './outbox.ts';

it('the outbox sends a new note even if the progress is unchanged, at most every five seconds', async () => {
  const time = createManualTime();
  const outbox = createOutbox(time);
  const sent: UnsentEvent[] = [];
  const notesAfter = async (note: string): Promise<readonly unknown[]> => {
    outbox.progress({ progress: 0.4, step: 'composites', note });
    await outbox.drain((event) => Promise.resolve(void sent.push(event)));
    return sent.map(({ data }) => data['note']);
  };
  await notesAfter('blocks 3 of 9');
  await time.advance(1000);
  expect(await notesAfter('waiting for a server (HTTP 503)')).toEqual(['blocks 3 of 9']);
  await time.advance(4000);
  expect(outbox.waiting()).toBe(true);
  expect(await notesAfter('waiting for a server (HTTP 503)')).toEqual([
    'blocks 3 of 9',
    'waiting for a server (HTTP 503)',
  ]);
  await time.advance(60_000);
  expect(outbox.waiting()).toBe(false);
});
