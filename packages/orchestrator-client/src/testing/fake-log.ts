/** `2026-11-20T12:00:00.123+0000`, as the lines of a log of Airflow 2 begin. */
const stamp = (time: number): string => new Date(time).toISOString().replace('Z', '+0000');

/** One line in the format of Airflow 2. */
export function logLine(time: number, place: string, text: string): string {
  return `[${stamp(time)}] {${place}} ${text}`;
}

/** What Airflow 2.10 writes for a task that raised: two tracebacks of the same failure. */
export function failureLines(
  time: number,
  error: unknown,
  { taskId, state }: { readonly taskId: string; readonly state: 'failed' | 'up_for_retry' },
): string[] {
  const traceback = tracebackOf(error);
  return [
    `${logLine(time, 'taskinstance.py:3311', 'ERROR - Task failed with exception')}\n${traceback}`,
    logLine(time, 'taskinstance.py:1225', `INFO - Marking task as ${state.toUpperCase()}. task_id=${taskId}`),
    logLine(time, 'taskinstance.py:340', 'INFO - ::group::Post task execution logs'),
    `${logLine(time, 'standard_task_runner.py:124', `ERROR - Failed to execute job 1 for task ${taskId} (${messageOf(error)}; 1)`)}\n${traceback}`,
    logLine(time, 'local_task_job_runner.py:266', 'INFO - Task exited with return code 1'),
  ];
}

/** A chain of causes in Python's order and words; the class is the error's `name`. */
export function tracebackOf(error: unknown): string {
  const own = `Traceback (most recent call last):\n  File "/opt/airflow/dags/dag.py", line 1, in run\n    run()\n${nameOf(error)}: ${messageOf(error)}`;
  if (!(error instanceof Error) || error.cause === undefined) return own;
  return `${tracebackOf(error.cause)}\nThe above exception was the direct cause of the following exception:\n${own}`;
}

export const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'Exception');
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
