import { validate } from '@headwater/stac';
import { documentsAt } from '../reading/documents.ts';
import { sourceOf } from '../reading/source.ts';
import { createReport } from '../report/report.ts';
import { bounded, clearOf, progressOn, type Io } from './io.ts';
import { oneSource, profileOf, readArguments } from './read-arguments.ts';

/** Command `validate`: reports all findings of each document. */
export async function validateCommand(args: readonly string[], unboundedIo: Io): Promise<number> {
  const parsed = readArguments(args, ['profile', 'json', 'strict', 'quiet', 'most-minutes']);
  const { sources, flags } = parsed;
  const profile = profileOf(parsed);
  const io = bounded(unboundedIo, parsed);
  // Throws if the only source is missing. If there are several sources, a missing one is reported as unreadable.
  if (sources.length === 1) await sourceOf(oneSource(parsed));
  const bar = progressOn(io, 'validate', flags.has('quiet'));
  const out = clearOf(bar, io);
  const report = createReport(out, { isJson: flags.has('json'), isStrict: flags.has('strict') });
  const requestOptions = { signal: io.signal, onWait: (note: string) => bar.wait(note) };
  let count = 0;
  try {
    for (const [index, source] of sources.entries()) {
      for await (const { name, share, value, unreadable } of documentsAt(source, requestOptions)) {
        count += 1;
        bar.update((index + share) / sources.length, `${String(count)} documents`);
        if (unreadable === undefined) report.add({ document: name, findings: validate(value, { profile }) });
        else report.add({ document: name, findings: [], unreadable });
      }
    }
  } finally {
    bar.end();
  }
  return report.end();
}
