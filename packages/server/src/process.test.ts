import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { applyProcessSettings, PROCESS_SETTINGS, type StartedProcess, withProcessSettings } from './process.ts';

const MODULE = resolve(import.meta.dirname, 'process.ts');

function started(env: Readonly<Record<string, string>>) {
  const program = [
    `import { applyProcessSettings } from ${JSON.stringify(MODULE)};`,
    'const before = process.pid;',
    'applyProcessSettings(process);',
    'console.log(JSON.stringify({ pid: process.pid, options: process.env.NODE_OPTIONS, arenas: process.env.MALLOC_ARENA_MAX, rest: process.argv.slice(1) }));',
  ].join('\n');
  const child = spawnSync(process.execPath, ['--input-type=module', '-e', program, 'one', '--two'], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    encoding: 'utf8',
  });
  expect(child.stderr).toBe('');
  return { pid: child.pid, report: JSON.parse(child.stdout) as Record<string, unknown> };
}

describe('applyProcessSettings', () => {
  it.runIf(process.platform === 'linux')('restarts once, with the same process id and arguments', () => {
    const { pid, report } = started({});
    expect(report['pid']).toBe(pid);
    expect(report['arenas']).toBe('2');
    expect(report['options']).toBe(PROCESS_SETTINGS.options);
    expect(report['rest']).toEqual(['one', '--two']);
  });

  it('keeps existing Node options, which take precedence', () => {
    const { NODE_OPTIONS } = withProcessSettings({ NODE_OPTIONS: '--max-semi-space-size=64' });
    expect(NODE_OPTIONS).toBe(`${PROCESS_SETTINGS.options} --max-semi-space-size=64`);
  });

  it('does not restart if the operator has set MALLOC_ARENA_MAX', () => {
    const { report } = started({ MALLOC_ARENA_MAX: '4' });
    expect(report['arenas']).toBe('4');
    expect(report['options']).toBeUndefined();
  });

  it.each<[string, Partial<StartedProcess>]>([
    ['on a system other than Linux', { platform: 'darwin' }],
    ['under a debugger', { execArgv: ['--inspect=0'] }],
    ['with a channel to a parent process', { env: { NODE_CHANNEL_FD: '3' } }],
    ['if Node has no execve', { execve: undefined }],
  ])('does not restart %s', (_, change) => {
    let calls = 0;
    const execve = (): never => {
      calls += 1;
      throw new Error('started over');
    };
    const { execPath, argv } = process;
    const plain: StartedProcess = { platform: 'linux', env: {}, execPath, execArgv: [], argv, execve };
    expect(() => applyProcessSettings(plain)).toThrow('started over');
    applyProcessSettings({ ...plain, ...change });
    expect(calls).toBe(1);
  });
});
