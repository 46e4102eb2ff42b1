import { DomainError } from '@headwater/core/errors';
import { type NetResponse, type TransientFailure, transientFailure } from '@headwater/net';
import type { FileVersion } from './download-state.ts';
import { isOtherVersion, versionOf } from './file-version.ts';

/** The range of a request. */
export interface RangeRequest {
  /** First byte; 0 = the whole file, without a range. */
  readonly from: number;
  /** Version of the file to which the received bytes belong. */
  readonly version: FileVersion;
  readonly nowMs: number;
}

/** A response whose body is written to the part, beginning at byte `from`. */
export interface Body {
  readonly kind: 'body';
  readonly from: number;
  readonly version: FileVersion;
}

/** Outcome if the received bytes cannot be used: the download restarts at the first byte. */
export interface Restart {
  readonly kind: 'restart';
  readonly why: string;
}

/** Interprets the response to a request for a file or for its rest. Throws `input_data` for an error that a retry cannot solve. */
export function rangeAnswer(answer: NetResponse, requested: RangeRequest): Body | Restart | TransientFailure {
  const failure = transientFailure(answer, requested.nowMs);
  if (failure !== undefined) return failure;
  if (answer.status === 206) return partOfFile(answer, requested);
  if (answer.status === 416 && requested.from > 0)
    return restart('the file on the server is shorter than the part that was already received');
  if (answer.status === 200) return { kind: 'body', from: 0, version: versionOf(answer, lengthOf(answer)) };
  throw new DomainError(
    'input_data',
    `${answer.shown}: the server responded with HTTP ${answer.status}; correct the address, or check that the file is public`,
  );
}

function partOfFile(answer: NetResponse, { from, version }: RangeRequest): Body | Restart {
  if (from === 0)
    throw new DomainError(
      'input_data',
      `${answer.shown}: the server sent a part (206) although the request was for the whole file`,
    );
  const [, first, last, total] =
    /^\s*bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})\s*$/i.exec(answer.header('content-range') ?? '') ?? [];
  if (first === undefined || Number(first) !== from || Number(last) < from || Number(last) >= Number(total))
    return restart('the server sent another range than requested');
  const now = versionOf(answer, Number(total));
  if (isOtherVersion(version, now)) return restart('the file on the server has changed');
  return { kind: 'body', from, version: { ...version, ...now } };
}

/** Length of the body from its header; undefined if there is no such header. */
function lengthOf(answer: NetResponse): number | undefined {
  const text = answer.header('content-length');
  return text === undefined ? undefined : Number(text);
}

const restart = (why: string): Restart => ({ kind: 'restart', why });
