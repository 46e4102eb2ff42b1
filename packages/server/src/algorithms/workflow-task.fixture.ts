import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { missingPython } from './python.fixture.ts';

const RUNNER = join(import.meta.dirname, 'run_workflow_task.py');

/**
 * Returns and prints the reason why the workflow cannot be run here; undefined if it can be run. In CI, throws the
 * reason.
 */
export function missingWorkflow(suite: string): string | undefined {
  const missing = lackOfWorkflow();
  if (missing === undefined) return undefined;
  if (process.env['CI'] === 'true') throw new Error(`CI=true: ${suite} must not be skipped: ${missing}`);
  console.warn(`skipped: ${suite}: ${missing}`);
  return missing;
}

function lackOfWorkflow(): string | undefined {
  const missing = missingPython();
  if (missing !== undefined) return missing;
  const hasYaml = spawnSync('python3', ['-c', 'import yaml']).status === 0;
  return hasYaml ? undefined : 'python3 has no PyYAML, which comes with Airflow (Debian: python3-yaml)';
}

/** One task of deploy/airflow/headwater_dag.py. */
export interface WorkflowTask {
  readonly task: 'choose_mode' | 'call_service' | 'run_container' | 'do_job';
  readonly conf: Readonly<Record<string, unknown>>;
  readonly runId: string;
  readonly env: Readonly<Record<string, string>>;
  /** Replacements of the module's constants, for shorter waits. */
  readonly constants?: Readonly<Record<string, number>>;
  readonly print?: (line: string) => void;
}

/** Runs a task and returns its result. Rejects with the name and message of the raised Python error. */
export async function runWorkflowTask(called: WorkflowTask): Promise<unknown> {
  const { task, conf, runId, env, constants = {}, print = () => {} } = called;
  const child = spawn('python3', [RUNNER, task], {
    env: { PATH: process.env['PATH'] ?? '', PYTHONDONTWRITEBYTECODE: '1', PYTHONUNBUFFERED: '1', ...env },
  });
  child.stdin.end(JSON.stringify({ conf, run_id: runId, constants }));
  const ended = once(child, 'close');
  const [result, errors] = await Promise.all([printedBefore(child.stdout, print), text(child.stderr), ended]);
  if (child.exitCode === 0) return JSON.parse(result);
  if (result !== '') print(result);
  const [, name = 'Error', message = ''] = /^([\w.]+): (.*)$/.exec(lastLine(errors)) ?? [];
  throw Object.assign(new Error(message), { name });
}

async function printedBefore(stdout: Readable, print: (line: string) => void): Promise<string> {
  let last: string | undefined;
  for await (const line of createInterface({ input: stdout })) {
    if (last !== undefined) print(last);
    last = line;
  }
  return last ?? '';
}

function lastLine(lines: string): string {
  return lines.trim().split('\n').at(-1) ?? '';
}
