import { describeFinding, type Finding, type Severity } from '@headwater/stac';
import type { Output } from '../terminal/terminal.ts';

const UNPRINTABLE = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu;

/** Escapes characters that control a terminal, because documents come from unknown authors. */
export function printable(line: string): string {
  return line.replace(UNPRINTABLE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Findings of one document. */
export interface DocumentReport {
  /** Path or address, with the line or Feature: `file.ndjson:7`, `file.json#/features/2`. */
  readonly document: string;
  readonly findings: readonly Finding[];
  /** Reason of a failed read. */
  readonly unreadable?: string;
}

/** Format and strictness of a report. */
export interface ReportOptions {
  readonly isJson: boolean;
  /** True: warnings count as errors. */
  readonly isStrict: boolean;
}

/** Exit codes of every command. `unreadable` also stands for wrong usage and for failed writes. */
export const EXIT = { conforming: 0, faults: 1, unreadable: 2 } as const;

/** Writes a report document by document. */
export interface ReportWriter {
  add(report: DocumentReport): void;
  /** Writes the end of the report; returns the exit code. */
  end(): number;
}

type Counts = Record<Severity | 'documents' | 'conforming' | 'unreadable', number>;

/** Creates a report as text or as JSON. */
export function createReport(out: Output, options: ReportOptions): ReportWriter {
  const counts: Counts = { documents: 0, conforming: 0, unreadable: 0, error: 0, warning: 0, info: 0 };
  const form = options.isJson ? jsonForm(out) : textForm(out);
  return {
    add(report) {
      count(counts, report, options.isStrict);
      form.add(report);
    },
    end() {
      form.end(counts);
      if (counts.unreadable > 0) return EXIT.unreadable;
      return counts.conforming === counts.documents ? EXIT.conforming : EXIT.faults;
    },
  };
}

function count(counts: Counts, { findings, unreadable }: DocumentReport, isStrict: boolean): void {
  counts.documents += 1;
  for (const { severity } of findings) counts[severity] += 1;
  if (unreadable !== undefined) counts.unreadable += 1;
  else if (!findings.some(({ severity }) => severity === 'error' || (isStrict && severity === 'warning')))
    counts.conforming += 1;
}

interface Form {
  add(report: DocumentReport): void;
  end(counts: Counts): void;
}

function textForm(out: Output): Form {
  return {
    add({ document, findings, unreadable }) {
      if (unreadable === undefined && findings.length === 0) return;
      const lines = findings.map((finding) => `  ${finding.severity.padEnd(8)}${describeFinding(finding)}`);
      const problem = unreadable === undefined ? [] : [`  cannot be read: ${unreadable}`];
      out.write(`${[document, ...problem, ...lines].map(printable).join('\n')}\n\n`);
    },
    end({ documents, conforming, unreadable, error, warning, info }) {
      const others = unreadable === 0 ? '' : `, ${String(unreadable)} unreadable`;
      const totals = `${counted(error, 'error')}, ${counted(warning, 'warning')}, ${counted(info, 'note')}`;
      out.write(`${counted(documents, 'document')}: ${String(conforming)} conforming${others}; ${totals}\n`);
    },
  };
}

function counted(count: number, what: string): string {
  return `${String(count)} ${what}${count === 1 ? '' : 's'}`;
}

/** Report as JSON. It is written in pieces, because a report can be larger than the memory. */
function jsonForm(out: Output): Form {
  let isFirst = true;
  return {
    add(report) {
      out.write(`${isFirst ? '{"documents":[\n' : ',\n'}${JSON.stringify(report)}`);
      isFirst = false;
    },
    end({ documents, conforming, unreadable, error: errors, warning: warnings, info: notes }) {
      const counts = { documents, conforming, unreadable, errors, warnings, notes };
      out.write(`${isFirst ? '{"documents":[' : ''}\n],"counts":${JSON.stringify(counts)}}\n`);
    },
  };
}
