import { type ChildProcess, spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Send } from '@headwater/object-storage';
import { findVenv, STORAGE_JUDGE } from '../../scripts/peers.mjs';
import { freePort } from '../server-process.ts';

/** Python with the emulators, or the reason why there is none. */
export const emulators = findVenv(STORAGE_JUDGE);

/** A storage program on a port of this machine. */
export interface Emulator {
  readonly origin: string;
  close(): Promise<void>;
}

/** Starts moto, which has the API of S3, and makes a bucket. */
export async function startMoto(bucket: string): Promise<Emulator> {
  const port = await freePort();
  const emulator = await started('moto_server', port, ['-H', '127.0.0.1', '-p', String(port)]);
  // moto reads the region of a new bucket from the credential in this header.
  const credential = 'Credential=id/20260101/us-east-1/s3/aws4_request';
  const authorization = `AWS4-HMAC-SHA256 ${credential}, SignedHeaders=host, Signature=x`;
  const made = await fetch(`${emulator.origin}/${bucket}`, { method: 'PUT', headers: { authorization } });
  if (!made.ok) throw new Error(`moto made no bucket: HTTP ${made.status} ${await made.text()}`);
  return emulator;
}

/** Starts gcp-storage-emulator (JSON API of Google Cloud Storage) with a bucket. */
export async function startGcsEmulator(bucket: string): Promise<Emulator> {
  const port = await freePort();
  const address = ['--host', '127.0.0.1', '--port', String(port)];
  return started('gcp-storage-emulator', port, ['start', ...address, '--in-memory', '--default-bucket', bucket]);
}

async function started(name: string, port: number, args: readonly string[]): Promise<Emulator> {
  if ('reason' in emulators) throw new Error(emulators.reason);
  const child = spawn(join(dirname(emulators.python), name), args, { stdio: 'ignore' });
  const origin = `http://127.0.0.1:${port}`;
  const isAnswering = (): Promise<boolean> =>
    fetch(origin).then(
      () => true,
      () => false,
    );
  while (!(await isAnswering())) {
    if (child.exitCode !== null) throw new Error(`${name} ended with exit code ${child.exitCode}`);
    await setTimeout(100);
  }
  return { origin, close: () => ended(child) };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exited = new Promise((done) => child.once('exit', done));
  child.kill('SIGKILL');
  await exited;
}

/** Forwards requests to another origin, as a proxy does. Rewrites addresses of upload sessions in the responses. */
export function forward(to: string): Send {
  return async ({ href, method, headers, authorization, body }, signal) => {
    const { origin, pathname, search } = new URL(href);
    const { host: _host, connection: _connection, 'content-length': _length, ...rest } = headers;
    const all = authorization === undefined ? rest : { ...rest, authorization };
    const hasBody = body !== undefined && (method === 'PUT' || method === 'POST');
    const found = await fetch(`${to}${pathname}${search}`, {
      method,
      headers: all,
      signal,
      redirect: 'manual',
      ...(hasBody ? { body: new Uint8Array(body) } : {}),
    });
    const bytes = new Uint8Array(await found.arrayBuffer());
    return {
      status: found.status,
      header: (name) => found.headers.get(name)?.replace(to, origin) ?? undefined,
      bytes: async () => bytes,
      async *pieces() {
        yield bytes;
      },
      discard: () => {},
    };
  };
}
