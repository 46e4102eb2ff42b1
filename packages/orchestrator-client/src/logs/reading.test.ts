import { describe, expect, it } from 'vitest';
import { excerptOf } from './excerpt.ts';
import { logTextOf } from './log-text.ts';
import { withoutSecretsOf } from '../runs/make-report.ts';
import { withoutRemarks } from './task-log.ts';

const LOG = `[2026-11-22T03:22:49.617+0000] {taskinstance.py:2866} INFO - Starting attempt 1 of 1
[2026-11-22T03:22:52.250+0000] {logging_mixin.py:190} INFO - Traceback (most recent call last):
  not ours
ValueError: printed by the task
[2026-11-22T03:22:52.251+0000] {taskinstance.py:3311} ERROR - Task failed with exception
Traceback (most recent call last):
  File "/opt/airflow/dags/a.py", line 28, in chained
    {}["region"]
    ~~^^^^^^^^^^
KeyError: 'region'
The above exception was the direct cause of the following exception:
Traceback (most recent call last):
  File "/opt/airflow/dags/a.py", line 30, in chained
    raise ValueError("no region given") from cause
ValueError: no region given
and a second line of its message
[2026-11-22T03:22:52.335+0000] {taskinstance.py:1225} INFO - Marking task as FAILED. dag_id=t_fail
[2026-11-22T03:22:52.361+0000] {standard_task_runner.py:124} ERROR - Failed to execute job 3 for task execute_A (no region given; 28150)
Traceback (most recent call last):
  File "/opt/airflow/dags/a.py", line 30, in chained
ValueError: no region given
[2026-11-22T03:22:52.396+0000] {local_task_job_runner.py:266} INFO - Task exited with return code 1`;

describe('the failure reason in a log', () => {
  it('is the last exception of the chain that the orchestrator reports, and not a text that the task printed', () => {
    const { reason, lines } = excerptOf(LOG);
    expect(reason).toBe('ValueError: no region given\nand a second line of its message');
    expect(lines.split('\n')[0]).toMatch(/Task failed with exception$/);
    expect(lines).not.toMatch(/printed by the task|Marking task/);
  });

  it.each([
    [
      '[2026-11-22T03:22:52.396+0000] {x.py:1} INFO - a\n[2026-11-22T03:22:52.396+0000] {local_task_job_runner.py:266} INFO - Task exited with return code -9',
      'INFO - Task exited with return code -9',
    ],
    [
      '[2026-11-22T03:22:52.396+0000] {job.py:1} ERROR - Received SIGTERM. Terminating subprocesses.',
      'ERROR - Received SIGTERM. Terminating subprocesses.',
    ],
    ['[2026-11-22T03:22:52.396+0000] {x.py:1} INFO - all is well', null],
    ['', null],
  ])('is found for the log %j: %j', (log, reason) => {
    expect(excerptOf(log).reason).toBe(reason);
  });

  it.each([
    ['2', '{subprocess.py:106} ', 'airflow.exceptions.'],
    ['3', '', ''],
  ])('is the last error that a failed command printed, on Airflow %s', (_major, file, module) => {
    const line = (text: string): string => `[2026-11-22T19:13:57.068+0000] ${file}INFO - ${text}`;
    const log = (...printed: readonly string[]): string =>
      [
        ...['Running command: bash', 'Output:', ...printed, 'Command exited with return code 1'].map(line),
        `[2026-11-22T19:13:57.079+0000] ERROR - Task failed with exception`,
        'Traceback (most recent call last):',
        '  File "bash.py", line 1, in execute',
        `${module}AirflowException: Bash command failed. The command returned a non-zero exit code 1.`,
      ].join('\n');
    const excerpt = excerptOf(log('find_scenes', 'headwater.RunFailedError: no scenes in 2022', 'stopping: done'));
    expect(excerpt.reason).toBe('headwater.RunFailedError: no scenes in 2022');
    expect(excerpt.lines.split('\n').slice(0, 2)).toEqual([
      'find_scenes',
      'headwater.RunFailedError: no scenes in 2022',
    ]);
    expect(excerptOf(log('nothing more')).reason).toMatch(/AirflowException: Bash command failed/);
  });

  it.each([
    ['ValueError: bad conf:', '  region: missing', 'please: fix it'],
    ['mod.Err: a', '', 'foo: bar'],
    ['make.<locals>.Err: a'],
    ['ValueError: é', 'added: by add_note'],
    ['KeyError: 1'],
  ])('contains all lines of the message: %s', (...message) => {
    const log = [
      '[2026-11-22T03:22:52.251+0000] {taskinstance.py:3311} ERROR - Task failed with exception',
      'Traceback (most recent call last):',
      '  File "a.py", line 1, in f',
      '    g()',
      ...message,
      '[2026-11-22T03:22:52.300+0000] {taskinstance.py:1225} INFO - Marking task as FAILED.',
    ];
    expect(excerptOf(log.join('\n')).reason).toBe(message.join('\n'));
  });

  it('contains an exception group and its exceptions', () => {
    const log = [
      '[2026-11-22T03:22:52.251+0000] {taskinstance.py:3311} ERROR - Task failed with exception',
      '  + Exception Group Traceback (most recent call last):',
      '  |   File "a.py", line 1, in f',
      '  |     raise ExceptionGroup("two", found)',
      '  | ExceptionGroup: two (2 sub-exceptions)',
      '  +-+---------------- 1 ----------------',
      '    | Traceback (most recent call last):',
      '    |   File "a.py", line 3, in g',
      '    | ValueError: x',
      '    +---------------- 2 ----------------',
      "    | KeyError: 'region'",
      '    +------------------------------------',
      '[2026-11-22T03:22:52.300+0000] {taskinstance.py:1225} INFO - Marking task as FAILED.',
    ];
    expect(excerptOf(log.join('\n')).reason).toBe(
      "ExceptionGroup: two (2 sub-exceptions)\nValueError: x\nKeyError: 'region'",
    );
  });

  it('is returned with an excerpt of at most 40 lines and 8,000 characters, for a log of any size', () => {
    const frames = Array.from({ length: 5000 }, (_none, index) => `  File "a.py", line ${index}, in f`).join('\n');
    const { lines, reason } = excerptOf(
      LOG.replace('  File "/opt/airflow/dags/a.py", line 30, in chained\n    raise', `${frames}\n    raise`),
    );
    expect(lines.split('\n').length).toBeLessThanOrEqual(40);
    expect(reason).toMatch(/^ValueError: no region given/);
    expect(excerptOf(`x${'y'.repeat(1e6)}`).lines.length).toBeLessThanOrEqual(8000);
  });
});

describe('the text of a log', () => {
  it.each([
    [
      'application/json',
      JSON.stringify({ content: "[('vm', 'one\\n'), (\"es\", 'two')]", continuation_token: 'x' }),
      'one\n\ntwo',
    ],
    ['application/json', JSON.stringify({ content: "(('vm', 'one'),)" }), 'one'],
    ['application/json', JSON.stringify({ content: 'as it is' }), 'as it is'],
    [
      'application/json',
      JSON.stringify({ content: ['a', { event: 'b', level: 'error', timestamp: '2026-11-22T00:00:00Z' }] }),
      'a\n[2026-11-22T00:00:00Z] ERROR - b',
    ],
    ['text/plain', 'vm\n\u001b[31mred\u001b[0m\r\n', 'vm\nred\n'],
    ['application/json', 'no JSON', 'no JSON'],
  ])('is read from a response of type %s: %s', (type, body, text) => {
    expect(logTextOf(body, type)).toBe(text);
  });

  const group = (...sources: readonly string[]): readonly object[] => [
    { event: '::group::Log message source details', sources },
    { event: '::endgroup::' },
  ];
  it.each([
    [group("Could not read served logs: Invalid URL 'http://:8793/log/x'"), /never reached a worker/],
    [group('Could not read served logs: 403 Client Error: FORBIDDEN for url: http://w:8793'), /secret_key/],
    [group('something new'), /no log: something new/],
    [[{ event: 'No logs found' }], /gone or was never written/],
    [[...group('Could not read served logs: Connection refused'), { event: 'No logs found' }], /log server/],
    [group(), /empty/],
  ])('explains why a log of Airflow 3 is missing: %j', (content, problem) => {
    const text = logTextOf(JSON.stringify({ content }), 'application/json');
    expect(withoutRemarks(text)).toEqual({ text: '', problem: expect.stringMatching(problem) });
  });

  it('does not contain the names of its sources on Airflow 3', () => {
    const lines = [{ event: 'one' }, { event: '::group::ours' }, { event: 'two' }, { event: '::endgroup::' }];
    const text = logTextOf(JSON.stringify({ content: [...group('/logs/1.log'), ...lines] }), 'application/json');
    const expected = 'one\n::group::ours\ntwo\n::endgroup::';
    expect(withoutRemarks(text)).toEqual({ text: expected, problem: null });
  });

  it('lists causes before the raised exception on Airflow 3, as Python does', () => {
    const detail = (exc_type: string): object => ({
      exc_type,
      exc_value: 'v',
      frames: [{ filename: 'a.py', lineno: 3, name: 'f' }],
    });
    const line = {
      timestamp: '2026-11-22T03:22:52.251Z',
      level: 'error',
      event: 'Task failed with exception',
      error_detail: [detail('ValueError'), detail('KeyError')],
    };
    expect(excerptOf(logTextOf(JSON.stringify({ content: [line] }), 'application/json')).reason).toBe('ValueError: v');
  });
});

describe('the recognition of a response without a log', () => {
  it.each([
    [
      "vm\n*** Could not read served logs: Invalid URL 'http://:8793/log/x': No host supplied\n",
      /never reached a worker/,
    ],
    [
      "\n*** Could not read served logs: Client error '403 FORBIDDEN' for url 'http://w:8793/x'\n*** !!!! Please make sure that all your Airflow components have the same 'secret_key'",
      /secret_key/,
    ],
    ['w\n*** Could not read served logs: [Errno 111] Connection refused', /log server/],
    ['w\n*** Log file does not exist: /logs/1.log\n', /gone or was never written/],
    ['default_host\nError fetching the logs. Try number 0 is invalid.\n', /never started/],
    ['w\n*** Something new\n', /no log: Something new/],
    ['', /empty/],
  ])('recognises %j', (text, problem) => {
    expect(withoutRemarks(text)).toEqual({ text: '', problem: expect.stringMatching(problem) });
  });

  it('returns a log without the remarks above and within it', () => {
    expect(
      withoutRemarks('vm\n*** Found local files:\n***   * /logs/1.log\nline\n*** Found logs in s3:\nlast'),
    ).toEqual({ text: 'line\nlast', problem: null });
    expect(withoutRemarks('only a line')).toEqual({ text: 'only a line', problem: null });
  });
});

it('withoutSecretsOf replaces the values of secret members of a conf, the longest values first', () => {
  const hide = withoutSecretsOf({
    run_token: 'abcdefgh',
    inner: { api_key: 'abcdefghij' },
    password: 'abc',
    year: 2024,
    job_id: 'abcdefgh-job',
  });
  expect(hide('abcdefghij abcdefgh abc 2024')).toBe('*** *** abc 2024');
});
