import { DomainError, messageOf } from '@headwater/core';
import { isObject } from '@headwater/core/values';
import { createReadStream } from 'node:fs';
import type { z } from 'zod';
import { plainIssue } from '../import/layer/layer-options.ts';
import { type DumpHeader, dumpHeader, type DumpRecord, RECORDS, type RecordType } from './dump-records.ts';

/** Maximum length of a line, bytes. */
export const MOST_LINE_BYTES = 1_048_576;
const MOST_RECORDS = 1_000_000;

/** Problem of a record, with its remedy. */
export interface RecordProblem {
  /** Absent if the problem concerns the whole line. */
  readonly field?: string;
  readonly problem: string;
}

/** Line without a valid record. */
export interface BadLine {
  readonly line: number;
  readonly type: string;
  /** Id for messages; may be empty. */
  readonly id: string;
  readonly problems: readonly RecordProblem[];
}

/** Valid record. */
export interface GoodLine {
  readonly line: number;
  readonly record: Exclude<DumpRecord, { readonly type: 'end' }>;
}

/** A record, or the problems of a line. */
export type DumpLine = GoodLine | BadLine;

/** Checked dump. */
export interface Dump {
  readonly header: DumpHeader;
  /** Number of records, also invalid ones. */
  readonly count: number;
  /** Highest ids in the dump. Rows that need a new id get a higher id. */
  readonly highest: { readonly user: number; readonly project: number };
  /** Reads all records. Each call starts with the first record. */
  readonly lines: () => AsyncGenerator<DumpLine>;
}

/**
 * Opens a dump in the format `headwater-dump`: a header, records as JSON lines, and an `end` record with their number.
 * Throws `input_data` for another format, a cut file, or too many records.
 */
export async function openDump(path: string, signal: AbortSignal): Promise<Dump> {
  const highest = { user: 0, project: 0 };
  let header: DumpHeader | undefined;
  let [count, ended]: [number, number | undefined] = [0, undefined];
  for await (const { line, bytes } of linesOf(path, signal)) {
    if (header === undefined) {
      header = headerOf(bytes);
      continue;
    }
    if (ended !== undefined) throw broken(`line ${line}: no line may follow the record of the type end`);
    const read = recordOf(line, bytes);
    if ('record' in read && read.record.type === 'end') ended = read.record.records;
    else count += 1;
    if (count > MOST_RECORDS) throw broken(`it has more than ${MOST_RECORDS} records; split it`);
    if (!('record' in read) || (read.record.type !== 'user' && read.record.type !== 'project')) continue;
    const { type, id } = read.record;
    highest[type] = Math.max(highest[type], id);
  }
  if (header === undefined) throw broken('it is empty');
  if (ended !== count) {
    const why =
      ended === undefined ? 'has no record of the type end' : `has ${count} records, but its end says ${ended}`;
    throw broken(`it ${why}, so it was cut off or changed; make the dump again`);
  }
  return { header, count, highest, lines: () => recordsOf(path, signal) };
}

const broken = (problem: string): DomainError => new DomainError('input_data', `The dump was not read: ${problem}.`);

function headerOf(bytes: Buffer | undefined): DumpHeader {
  const parsed = bytes === undefined ? undefined : parse(bytes);
  const value = parsed !== undefined && 'value' in parsed ? parsed.value : undefined;
  if (!isObject(value) || value['format'] !== 'headwater-dump')
    throw broken(
      'its first line must be {"format": "headwater-dump", ...}; make the dump with headwater_dump.py (docs/move-over.md)',
    );
  if (value['version'] !== 1)
    throw broken(`its version is ${JSON.stringify(value['version'])?.slice(0, 20)}, but only version 1 can be read`);
  const read = dumpHeader.safeParse(value, { error: plainIssue });
  if (read.success) return read.data;
  const [first] = problemsOf(read.error);
  throw broken(`line 1: ${first?.field ?? ''} ${first?.problem ?? ''}`);
}

async function* recordsOf(path: string, signal: AbortSignal): AsyncGenerator<DumpLine> {
  let isFirst = true;
  for await (const { line, bytes } of linesOf(path, signal)) {
    const read = isFirst ? undefined : recordOf(line, bytes);
    isFirst = false;
    if (read === undefined) continue;
    if (!('record' in read)) yield read;
    else if (read.record.type !== 'end') yield { line, record: read.record };
  }
}

function recordOf(line: number, bytes: Buffer | undefined): { readonly record: DumpRecord } | BadLine {
  const bad = (problems: readonly RecordProblem[], type = '', id = ''): BadLine => ({ line, type, id, problems });
  if (bytes === undefined)
    return bad([{ problem: `is longer than ${MOST_LINE_BYTES} bytes; shorten its longest member` }]);
  const parsed = parse(bytes);
  if ('problem' in parsed) return bad([parsed]);
  const { value } = parsed;
  if (!isObject(value)) return bad([{ problem: 'is not an object; write one JSON object per line' }]);
  const type = typeof value['type'] === 'string' ? value['type'] : '';
  if (!isRecordType(type)) {
    const known = Object.keys(RECORDS).join(', ');
    return bad([{ field: 'type', problem: `is not a known type; it must be one of ${known}` }], shown(type));
  }
  const schema: z.ZodType<DumpRecord> = RECORDS[type];
  const read = schema.safeParse(value, { error: plainIssue });
  if (read.success) return { record: read.data };
  const given: unknown = value['id'] ?? value['prefix'];
  const id = typeof given === 'string' || typeof given === 'number' ? shown(String(given)) : '';
  return bad(problemsOf(read.error), type, id);
}

const isRecordType = (type: string): type is RecordType => Object.hasOwn(RECORDS, type);

const shown = (text: string): string => text.slice(0, 100).replace(/\p{C}/gu, ' ');

const MOST_PROBLEMS = 10;

function problemsOf(error: z.ZodError): readonly RecordProblem[] {
  return error.issues.slice(0, MOST_PROBLEMS).map(({ path, message }) => {
    const field = path.map(String).join('.').slice(0, 100);
    return field === '' ? { problem: message } : { field, problem: message };
  });
}

function parse(bytes: Buffer): { readonly value: unknown } | { readonly problem: string } {
  try {
    return { value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) };
  } catch (error) {
    return { problem: `is not valid JSON in UTF-8: ${shown(messageOf(error))}; correct it or make the dump again` };
  }
}

/** Line with its number from 1; without bytes if the line is too long. */
interface RawLine {
  readonly line: number;
  readonly bytes: Buffer | undefined;
}

/** Yields the lines of a dump. Lines that are too long are not kept in memory; empty lines are left out. */
async function* linesOf(path: string, signal: AbortSignal): AsyncGenerator<RawLine> {
  let [line, size, isLong]: [number, number, boolean] = [1, 0, false];
  let pieces: Buffer[] = [];
  const taken = (): RawLine | undefined => {
    const whole = isLong ? undefined : Buffer.concat(pieces);
    [pieces, size, isLong] = [[], 0, false];
    return whole !== undefined && whole.toString('latin1').trim() === '' ? undefined : { line, bytes: whole };
  };
  const add = (piece: Buffer): void => {
    size += piece.byteLength;
    isLong ||= size > MOST_LINE_BYTES;
    if (isLong) pieces = [];
    else pieces.push(piece);
  };
  for await (const chunk of createReadStream(path, { signal })) {
    if (!Buffer.isBuffer(chunk)) continue;
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      add(chunk.subarray(from, at));
      const whole = taken();
      if (whole !== undefined) yield whole;
      [from, line] = [at + 1, line + 1];
    }
    add(chunk.subarray(from));
  }
  const last = taken();
  if (last !== undefined) yield last;
}
