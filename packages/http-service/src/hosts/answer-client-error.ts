import type { Duplex } from 'node:stream';
import { DomainError, type ErrorCode } from '@headwater/core';
import { sentences } from '../wire/sentences.ts';
import { toWire } from '../wire/wire-error.ts';
import { wordingOf } from '../wire/wordings/index.ts';

interface Refusal {
  readonly status: number;
  readonly code: ErrorCode;
  readonly sentence: string;
}

const BROKEN: Refusal = { status: 400, code: 'parse', sentence: sentences.notHttp };

const REFUSALS: ReadonlyMap<string, Refusal> = new Map([
  ['HPE_INVALID_URL', { status: 400, code: 'parse', sentence: sentences.rawAddress }],
  ['HPE_HEADER_OVERFLOW', { status: 431, code: 'payload_too_large', sentence: sentences.largeHead }],
  ['ERR_HTTP_REQUEST_TIMEOUT', { status: 408, code: 'parse', sentence: sentences.lateRequest }],
]);

/**
 * Answers requests that Node's parser refuses. Use `server.on('clientError', answerClientError)`, or Fastify's
 * `clientErrorHandler`.
 */
export function answerClientError(error: Error & { readonly code?: string }, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, code, sentence } = REFUSALS.get(error.code ?? '') ?? BROKEN;
  const { mediaType, render } = wordingOf();
  const failure = { ...toWire(new DomainError(code, sentence)), status };
  const nothing = { method: '', baseUrl: '', path: '', language: 'en' } as const;
  const body = render(failure, { ...nothing, requestId: crypto.randomUUID() });
  const head = [
    `HTTP/1.1 ${status} ${failure.title.replace(/[^ -~]/gu, '')}`,
    `Content-Type: ${mediaType}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}
