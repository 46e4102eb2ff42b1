import { expect, it } from 'vitest';
import { createOrchestratorClient } from '../index.ts';
import { type FakeDag, FakeOrchestrator } from './index.ts';

async function started(dag: FakeDag) {
  const fake = new FakeOrchestrator({ dags: [dag] });
  const client = createOrchestratorClient({
    baseUrl: fake.baseUrl,
    fetch: fake.fetch,
    credentials: { username: 'admin', password: 'admin' },
    poll: { minMs: 0, maxMs: 0 },
  });
  return client.trigger(dag.id, {});
}

it('a skipped task ends as skipped, and the later tasks run', async () => {
  const run = await started({
    id: 'branches',
    tasks: [
      { id: 'left', run: ({ skip }) => skip() },
      { id: 'right', run: () => 'done' },
    ],
  });
  await run.wait();
  const states = Object.fromEntries((await run.tasks()).map(({ taskId, state }) => [taskId, state]));
  expect(states).toEqual({ left: 'skipped', right: 'success' });
  expect(await run.result({ taskId: 'right' })).toBe('done');
  await expect(run.result({ taskId: 'left' })).rejects.toMatchObject({
    code: 'not_found',
    message: expect.stringMatching(/^Task "left" is skipped and returned nothing\. /),
  });
  await expect(run.result({ taskId: 'right', key: 'other' })).rejects.toThrow(
    /^Task "right" .* nothing under "other"\. /,
  );
  await expect(run.result({ taskId: 'right', mapIndex: 3 })).rejects.toThrow(
    /^Task "right" has no mapIndex 3; it has: -1\. /,
  );
  await expect(run.result({ taskId: 'other' })).rejects.toThrow(
    `There is no task "other" in run ${run.runId}; it has: left, right. `,
  );
});

it.each([
  [true, 'MyError: no scenes'],
  [false, 'airflow.exceptions.AirflowException: Bash command failed.'],
])('the failure reason of a task that prints an error (isCommand: %s) is %s', async (isCommand, reason) => {
  const run = await started({
    id: 'command',
    tasks: [
      {
        id: 'bash',
        isCommand,
        run: ({ print }) => {
          print('MyError: no scenes');
          throw Object.assign(new Error('Bash command failed.'), { name: 'airflow.exceptions.AirflowException' });
        },
      },
    ],
  });
  await expect(run.wait()).rejects.toMatchObject({ code: 'run_failed', details: { reason } });
});
