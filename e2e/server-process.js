import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { copyDatabase } from '../scripts/database-template.mjs';
import { serverBundle } from '../scripts/server-bundle.mjs';
const ROOT = resolve(import.meta.dirname, '..');
const HEALTH_MS = 90_000;
/**
 * A port that was free a moment ago, below those that the system hands out by itself: the server takes it a second later, and what other
 * tests listen at or connect from meanwhile is never this one.
 */
export async function freePort() {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    const server = createServer().listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
    } catch {
      continue;
    }
    server.close();
    await once(server, 'close');
    return port;
  }
}
/** Spawns a command of the server; nothing is waited for. */
export function spawnServer({ dataDir, env = {}, args = [] }, port) {
  const compiled = process.env['NODE_COMPILE_CACHE'];
  return spawn(process.execPath, ['--conditions=@headwater/source', serverBundle(), ...args], {
    cwd: ROOT,
    env: {
      PATH: process.env['PATH'] ?? '',
      ...(compiled === undefined ? {} : { NODE_COMPILE_CACHE: compiled }),
      DATA_DIR: dataDir,
      BACKEND_PORT: String(port),
      BACKEND_HOST: '127.0.0.1',
      ...env,
    },
  });
}
/** Runs a command to its end and returns what it printed. */
export async function runCommand(options) {
  const child = spawnServer(options, await freePort());
  child.stdin?.end(options.input ?? '');
  const output = collect(child);
  const [code] = await once(child, 'close');
  return { code, output: output.text };
}
/** Starts the server and waits until health answers 200; one that never does is ended, so that it keeps no folder from the next. */
export async function startServerProcess(options) {
  const port = options.port ?? (await freePort());
  const { dataDir, env = {}, makesDatabase = false } = options;
  if (!makesDatabase && !('DB_HOST' in env) && !existsSync(join(dataDir, 'db'))) copyDatabase(join(dataDir, 'db'));
  const started = performance.now();
  const child = spawnServer(options, port);
  const output = collect(child);
  const baseUrl = `http://localhost:${port}`;
  try {
    await healthy(baseUrl, child, output);
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
  return { ...runningProcess(child, output), baseUrl, healthyAfterMs: performance.now() - started };
}
/** Starts a command that goes on until it is stopped, such as a worker; nothing is waited for. */
export async function startCommand(options) {
  const child = spawnServer(options, await freePort());
  return runningProcess(child, collect(child));
}
function runningProcess(child, output) {
  return {
    pid: child.pid ?? -1,
    output: () => output.text,
    printed: (pattern, ms) => waitForText(child, output, { pattern, ms }),
    async stop(signal) {
      const from = performance.now();
      if (child.exitCode !== null || child.signalCode !== null) return { code: child.exitCode, ms: 0 };
      child.kill(signal);
      const [code] = await once(child, 'exit');
      return { code, ms: performance.now() - from };
    },
  };
}
/** What a process prints from now on. */
export function collect(child) {
  const output = { text: '', listeners: new Set() };
  const add = (chunk) => {
    output.text += chunk.toString('utf8');
    for (const listener of output.listeners) listener();
  };
  child.stdout?.on('data', add);
  child.stderr?.on('data', add);
  return output;
}
async function healthy(baseUrl, child, output) {
  const until = performance.now() + HEALTH_MS;
  while (performance.now() < until) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}:\n${output.text}`);
    const answer = await fetch(`${baseUrl}/api/health`).catch(() => undefined);
    if (answer?.status === 200) return;
    await new Promise((settle) => setTimeout(settle, 50));
  }
  throw new Error(`health did not answer within ${HEALTH_MS / 1000} s:\n${output.text}`);
}
/** Resolves when the output matches; rejects when the process ends or `ms` pass first. */
export function waitForText(child, output, { pattern, ms }) {
  const { promise, resolve: found, reject } = Promise.withResolvers();
  const fail = (why) => () => reject(new Error(`${why} before ${String(pattern)} was printed:\n${output.text}`));
  const look = () => {
    const match = output.text.match(pattern);
    if (match !== null) found(match);
  };
  const timer = setTimeout(fail(`${ms} ms passed`), ms);
  const ended = fail('the server ended');
  child.once('exit', ended);
  output.listeners.add(look);
  look();
  return promise.finally(() => {
    clearTimeout(timer);
    child.off('exit', ended);
    output.listeners.delete(look);
  });
}
