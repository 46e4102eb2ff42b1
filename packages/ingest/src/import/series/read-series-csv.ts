import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { isIsoDay } from '@headwater/core/values';
import { parse } from 'csv-parse';
import { type ImportRequest, badFile, throwIfStopped } from '../shared/import-deps.ts';
import { limitText } from '../shared/numbers.ts';
import { type SeriesForm, SERIES_FORMS, seriesFormOf } from './series-forms.ts';
import { seriesNumber, type SeriesTask, uidProblem } from './series-task.ts';

/** Maximum length of a line, characters. */
const MOST_LINE = 100_000;
const MOST_BYTES = 1024 ** 3;

interface CsvColumns {
  readonly uid: number;
  readonly date: number;
  readonly series: readonly (readonly [index: number, form: SeriesForm])[];
}

interface CsvLine {
  readonly number: number;
  readonly fields: readonly string[];
}

/**
 * Reads a CSV (RFC 4180, UTF-8) with uid, date and one column per series. Rows with unreadable values are reported.
 * Throws `validation` for a file without rows or without these columns.
 */
export async function readSeriesCsv(task: SeriesTask): Promise<void> {
  const { request, findings, collected } = task;
  let columns: CsvColumns | undefined;
  let count = 0;
  for await (const line of csvLines(request)) {
    if (columns === undefined) columns = columnsOf(line, task);
    else {
      count += 1;
      const read = rowOf(line, columns, task);
      if ('problem' in read) findings.refuse({ source: request.fileName, row: line.number, ...read });
      else {
        for (const [form, value] of read.values) collected.add(form, { uid: read.uid, day: read.day, value });
      }
    }
  }
  if (count === 0) throw badFile(request, 'it has no row below the column names; add at least one.');
}

async function* csvLines(request: ImportRequest): AsyncGenerator<CsvLine> {
  const { size } = await stat(request.path);
  if (size > MOST_BYTES) throw badFile(request, `it has more than ${limitText(MOST_BYTES)}; split it.`);
  const file = createReadStream(request.path);
  const parser = parse({
    bom: true,
    skip_empty_lines: true,
    relax_column_count: true,
    max_record_size: MOST_LINE,
    info: true,
  });
  file.on('error', (error) => parser.destroy(error));
  try {
    for await (const read of file.pipe(parser)) {
      throwIfStopped(request);
      const { record, info }: { readonly record: readonly string[]; readonly info: { readonly lines: number } } = read;
      yield { number: info.lines, fields: record };
      if (info.lines % 1000 === 0) request.progress?.(file.bytesRead, size);
    }
  } catch (error) {
    const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
    if (!code.startsWith('CSV_')) throw error;
    throw badFile(
      request,
      `it is not CSV (${error instanceof Error ? error.message.slice(0, 200) : code}); correct this line, or save the file again as CSV.`,
    );
  } finally {
    file.destroy();
  }
  request.progress?.(size, size);
}

function columnsOf({ fields, number }: CsvLine, { request, findings }: SeriesTask): CsvColumns {
  const names = fields.map((name) => name.trim().toLowerCase());
  const [uid, date] = [Math.max(names.indexOf('uid'), names.indexOf('mws_id')), names.indexOf('date')];
  const missing = uid < 0 ? 'uid' : 'date';
  if (uid < 0 || date < 0)
    throw badFile(request, `it has no column ${missing}; it needs the columns uid, date and one for each series.`);
  const known = SERIES_FORMS.map(({ name }) => name).join(', ');
  const series = names.flatMap((name, index): (readonly [number, SeriesForm])[] => {
    if (index === uid || index === date) return [];
    const form = seriesFormOf(name);
    if (form !== undefined) return [[index, form]];
    const problem = `The column was left out. There is no series ${JSON.stringify(name.slice(0, 60).toWellFormed())}; known are ${known}.`;
    findings.refuse({ source: request.fileName, row: number, field: name.slice(0, 60), problem });
    return [];
  });
  if (series.length === 0) throw badFile(request, `it has no column of a series; known are ${known}.`);
  if (new Set(series.map(([, form]) => form)).size < series.length)
    throw badFile(request, 'two of its columns are of the same series; remove one of them.');
  return { uid, date, series };
}

type CsvRow =
  | { readonly uid: string; readonly day: string; readonly values: readonly (readonly [SeriesForm, number | null])[] }
  | { readonly field: string; readonly problem: string };

function rowOf({ fields }: CsvLine, columns: CsvColumns, task: SeriesTask): CsvRow {
  const [uid, day] = [fields[columns.uid]?.trim() ?? '', fields[columns.date]?.trim() ?? ''];
  const problem = uidProblem(uid, task);
  if (problem !== undefined) return { field: 'uid', problem };
  if (!isIsoDay(day))
    return {
      field: 'date',
      problem: `${JSON.stringify(day.slice(0, 40).toWellFormed())} is not a day; write it as 2017-07-01.`,
    };
  const values: (readonly [SeriesForm, number | null])[] = [];
  for (const [index, form] of columns.series) {
    const value = seriesNumber(fields[index] ?? '');
    if (value === undefined)
      return {
        field: form.name,
        problem: `The value ${JSON.stringify((fields[index] ?? '').slice(0, 40).toWellFormed())} is not a number; correct it, or leave the cell empty if it is unknown.`,
      };
    if (task.collected.has(form, uid, day))
      return { field: 'date', problem: `An earlier row has ${uid} on ${day} already; remove one of the two.` };
    values.push([form, value]);
  }
  return { uid, day, values };
}
