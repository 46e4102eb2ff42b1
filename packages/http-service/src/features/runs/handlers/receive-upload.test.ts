import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DomainError } from '@headwater/core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Part } from '../../../seam/row-body.ts';
import type { Upload } from '../../../seam/uploads.ts';
import { type Receiving, receiveUpload } from './receive-upload.ts';

let scratchDir = '';
let client = new AbortController();
beforeEach(async () => {
  scratchDir = await mkdtemp(join(tmpdir(), 'headwater-upload-'));
  client = new AbortController();
});
afterEach(() => rm(scratchDir, { recursive: true, force: true }));

async function* body(then: () => void = () => {}): AsyncGenerator<Part> {
  const chunks = async function* (): AsyncGenerator<Uint8Array> {
    yield new TextEncoder().encode('content');
    then();
  };
  yield { kind: 'file', name: 'file', filename: 'in.geojson', type: '', chunks: chunks() };
}

const receive = <T>(use: Receiving<T>['use'], parts = body()): Promise<T> =>
  receiveUpload(parts, { scratchDir, signal: client.signal, checkName: () => {}, use });

it('returns the result if the client disconnects before the response, and leaves no file', async () => {
  const use = async ({ path }: Upload): Promise<string> => {
    client.abort(new Error('the client left'));
    return await readFile(path, 'utf8');
  };
  expect(await receive(use)).toBe('content');
  expect(await readdir(scratchDir)).toEqual([]);
});

it('throws the error of `use` even if the client has disconnected', async () => {
  const use = async (): Promise<never> => {
    client.abort(new Error('the client left'));
    throw new DomainError('conflict', 'it is being imported already');
  };
  await expect(receive(use)).rejects.toThrow('it is being imported already');
  expect(await readdir(scratchDir)).toEqual([]);
});

it('throws the reason of the signal if the body ends early because the client disconnected', async () => {
  const left = body(() => {
    client.abort(new Error('the client left'));
    throw new DomainError('parse', 'the body breaks off');
  });
  await expect(receive(async () => 'used', left)).rejects.toThrow('the client left');
  const broken = body(() => {
    throw new DomainError('parse', 'the body breaks off');
  });
  client = new AbortController();
  await expect(receive(async () => 'used', broken)).rejects.toThrow('the body breaks off');
  expect(await readdir(scratchDir)).toEqual([]);
});

it('checks the free disk space before the first bytes and while more arrive', async () => {
  const chunk = new Uint8Array(40 * 1024 * 1024);
  const chunks = async function* (): AsyncGenerator<Uint8Array> {
    yield* [chunk, chunk, chunk];
  };
  const parts = async function* (): AsyncGenerator<Part> {
    yield { kind: 'file', name: 'file', filename: 'in.geojson', type: '', chunks: chunks() };
  };
  let checks = 0;
  const sent = (free: readonly number[]): Promise<string> =>
    receiveUpload(parts(), {
      scratchDir,
      signal: client.signal,
      checkName: () => {},
      use: async () => 'done',
      freeBytes: async () => free[checks++] ?? 0,
    });
  expect([await sent([2e9, 2e9]), checks]).toEqual(['done', 2]);
  checks = 0;
  await expect(sent([2e9, 0.9e9])).rejects.toMatchObject({ code: 'storage_full' });
  expect([await readdir(scratchDir), checks]).toEqual([[], 2]);
});
