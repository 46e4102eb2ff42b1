import { validate } from '@headwater/stac';
import { documentsOf } from '../reading/documents.ts';
import { sourceOf } from '../reading/source.ts';
import { createReport } from '../report/report.ts';
import { bounded, progressOn, type Io } from './io.ts';
import { profileOf, readArguments } from './read-arguments.ts';

/** `validate`: all faults of each document, by itself, by the rules of a profile. */
export async function validateCommand(args: readonly string[], given: Io): Promise<number> {
  const told = readArguments(args, ['profile', 'json', 'strict', 'quiet', 'most-minutes']);
  const { sources, flags } = told;
  const profile = profileOf(told);
  const io = bounded(given, told);
  const found = await Promise.all(sources.map(sourceOf));
  const report = createReport(io.stdout, { isJson: flags.has('json'), isStrict: flags.has('strict') });
  const bar = progressOn(io, 'validate', flags.has('quiet'));
  const asking = { signal: io.signal, onWait: (note: string) => bar.wait(note) };
  let count = 0;
  try {
    for (const [index, source] of found.entries()) {
      for await (const { name, share, value, unreadable } of documentsOf(source, asking)) {
        count += 1;
        bar.update((index + share) / found.length, `${String(count)} documents`);
        if (unreadable === undefined) report.add({ document: name, findings: validate(value, { profile }) });
        else report.add({ document: name, findings: [], unreadable });
      }
    }
  } finally {
    bar.end();
  }
  return report.end();
}
