import { DomainError } from '@headwater/core/errors';
import { type NetResponse, type TransientFailure, transientFailure } from '@headwater/net';
import type { FileVersion } from './download-state.ts';
import { isOtherVersion, versionOf } from './file-version.ts';

/** What was asked for. */
export interface RangeAsked {
  /** First byte; 0 = the whole file, without a range. */
  readonly from: number;
  /** Of what is there already. */
  readonly version: FileVersion;
  readonly nowMs: number;
}

/** An answer whose body belongs into the part: from `from` on. */
export interface Body {
  readonly kind: 'body';
  readonly from: number;
  readonly version: FileVersion;
}

/** What is there is of no use any more: the file is read from its beginning. */
export interface Anew {
  readonly kind: 'anew';
  readonly why: string;
}

/** What an answer to the request for a file, or for its rest, means. Throws `input_data` for one that another attempt would meet again. */
export function rangeAnswer(answer: NetResponse, asked: RangeAsked): Body | Anew | TransientFailure {
  const may = transientFailure(answer, asked.nowMs);
  if (may !== undefined) return may;
  if (answer.status === 206) return partOfFile(answer, asked);
  if (answer.status === 416 && asked.from > 0) return anew('the server has less of the file than was read already');
  if (answer.status === 200) return { kind: 'body', from: 0, version: versionOf(answer, lengthOf(answer)) };
  throw new DomainError(
    'input_data',
    `${answer.shown}: it answered HTTP ${answer.status}; correct the address, or see that the file may be read`,
  );
}

function partOfFile(answer: NetResponse, { from, version }: RangeAsked): Body | Anew {
  if (from === 0)
    throw new DomainError('input_data', `${answer.shown}: it answered a part (206) where the whole was asked for`);
  const [, first, last, total] =
    /^\s*bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})\s*$/i.exec(answer.header('content-range') ?? '') ?? [];
  if (first === undefined || Number(first) !== from || Number(last) < from || Number(last) >= Number(total))
    return anew('the server answered another range than it was asked for');
  const now = versionOf(answer, Number(total));
  if (isOtherVersion(version, now)) return anew('the file has changed at its server');
  return { kind: 'body', from, version: { ...version, ...now } };
}

/** Bytes of the body as the server says; undefined where it does not. */
function lengthOf(answer: NetResponse): number | undefined {
  const text = answer.header('content-length');
  return text === undefined ? undefined : Number(text);
}

const anew = (why: string): Anew => ({ kind: 'anew', why });
