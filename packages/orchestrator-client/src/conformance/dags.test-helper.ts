import { setTimeout as pause } from 'node:timers/promises';
import type { FakeContext, FakeDag } from '../testing/index.ts';

const raised = (name: string, message: string, cause?: unknown): Error =>
  Object.assign(new Error(message, cause === undefined ? undefined : { cause }), { name });

function boom({ print, conf }: FakeContext): never {
  print('it\'s "quoted" é \\ line');
  print('Traceback (most recent call last):\n  not ours\nValueError: printed by the task');
  print(`run_token is ${String(conf['run_token'])}`);
  throw raised('RuntimeError', 'export failed: quota exceeded');
}

function divide({ item }: FakeContext): number {
  if (item === 0) throw raised('ZeroDivisionError', 'integer division or modulo by zero');
  return 1;
}

/** The DAGs of scripts/airflow/dags, for the fake. */
export const CONFORMANCE_DAGS: readonly FakeDag[] = [
  { id: 't_ok', tasks: [{ id: 'execute_A', run: ({ conf, post }) => post(String(conf['url']), { conf }) }] },
  {
    id: 't_fail',
    tasks: [
      { id: 'execute_A', run: boom },
      { id: 'verify_B', run: () => 1 },
    ],
  },
  {
    id: 't_chain',
    tasks: [
      {
        id: 'execute_A',
        run: () => {
          throw raised('ValueError', 'no region given', raised('KeyError', "'region'"));
        },
      },
    ],
  },
  { id: 't_map', tasks: [{ id: 'm', mapped: [1, 0], run: divide }] },
  { id: 't_slow', tasks: [{ id: 's', run: ({ conf, signal }) => pause(Number(conf['s']) * 1000, null, { signal }) }] },
  { id: 't_paused', isPaused: true, tasks: [{ id: 'execute_A', run: () => ({ status: 'success' }) }] },
  { id: 't_broken', importError: "NameError: name 'nonsense' is not defined", tasks: [] },
];
