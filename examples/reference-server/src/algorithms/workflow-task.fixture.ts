import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
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
}

/** What the task returned. Rejects with an error that has the name and message of what it raised. */
export async function runWorkflowTask({ task, conf, runId, env, constants = {} }: WorkflowTask): Promise<unknown> {
  const child = spawn('python3', [RUNNER, task], {
    env: { PATH: process.env['PATH'] ?? '', PYTHONDONTWRITEBYTECODE: '1', ...env },
  });
  child.stdin.end(JSON.stringify({ conf, run_id: runId, constants }));
  const ended = once(child, 'close');
  const [printed, told] = await Promise.all([text(child.stdout), text(child.stderr)]);
  await ended;
  if (child.exitCode === 0) return JSON.parse(lastLine(printed));
  const [, name = 'Error', message = ''] = /^([\w.]+): (.*)$/.exec(lastLine(told)) ?? [];
  throw Object.assign(new Error(message), { name });
}

function lastLine(lines: string): string {
  return lines.trim().split('\n').at(-1) ?? '';
}
