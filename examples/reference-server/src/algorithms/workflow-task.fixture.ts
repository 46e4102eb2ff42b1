import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import type { FakeDag } from '@headwater/orchestrator-client/testing';
import { missingPython } from './python.fixture.ts';

const RUNNER = join(import.meta.dirname, 'run_workflow_task.py');

/** Why the workflow cannot be run here; undefined where it can. */
export function missingWorkflow(): string | undefined {
  const missing = missingPython();
  if (missing !== undefined) return missing;
  const hasYaml = spawnSync('python3', ['-c', 'import yaml']).status === 0;
  return hasYaml ? undefined : 'python3 has no PyYAML, which comes with Airflow (Debian: python3-yaml)';
}

/** One task of deploy/airflow/headwater_dag.py, run by the file itself. */
export interface WorkflowTask {
  readonly task: 'choose_mode' | 'call_service' | 'run_container';
  readonly conf: Readonly<Record<string, unknown>>;
  readonly runId: string;
  /** What the workers' environment has. */
  readonly env: Readonly<Record<string, string>>;
  /** In place of the module's, where a case cannot wait for so long. */
  readonly constants?: Readonly<Record<string, number>>;
  readonly signal?: AbortSignal;
  /** Gets what the task prints, line by line. */
  readonly print?: (line: string) => void;
}

/** What the task returned. Rejects with an error that has the name and message of what it raised. */
export async function runWorkflowTask(asked: WorkflowTask): Promise<unknown> {
  const { task, conf, runId, env, constants = {}, signal, print } = asked;
  const child = spawn('python3', [RUNNER, task], {
    env: { PATH: process.env['PATH'] ?? '', PYTHONDONTWRITEBYTECODE: '1', ...env },
    ...(signal === undefined ? {} : { signal }),
  });
  child.stdin.end(JSON.stringify({ conf, run_id: runId, constants }));
  // An abort is told by both events; the second one comes always.
  child.once('error', () => {});
  const ended = new Promise((settle) => child.once('close', settle));
  const told = text(child.stderr);
  let last: string | undefined;
  for await (const line of createInterface({ input: child.stdout })) {
    if (last !== undefined) print?.(last);
    last = line;
  }
  await ended;
  if (child.exitCode === 0) return JSON.parse(last ?? 'null');
  if (last !== undefined) print?.(last);
  const [, name = 'Error', message = ''] = /^([\w.]+): (.*)$/.exec((await told).trim().split('\n').at(-1) ?? '') ?? [];
  throw Object.assign(new Error(message), { name });
}

/** The workflow for the fake: its tasks one after the other, of which those that are not chosen do nothing. */
export function ownWorkflow(id: string, env: WorkflowTask['env'], constants: WorkflowTask['constants'] = {}): FakeDag {
  const chosen = new Map<string, unknown>();
  const task = (name: WorkflowTask['task']): FakeDag['tasks'][number] => ({
    id: name,
    run: async ({ conf, runId, signal, print }) => {
      if (name !== 'choose_mode' && chosen.get(runId) !== name) return undefined;
      const result = await runWorkflowTask({ task: name, conf, runId, signal, print, env, constants });
      if (name === 'choose_mode') chosen.set(runId, result);
      return result;
    },
  });
  return { id, tasks: [task('choose_mode'), task('call_service'), task('run_container')] };
}
