import { writeFile } from 'node:fs/promises';
import { countOf, replaceControlCharacters } from '@headwater/core/values';

/** Result of a record. `equal`: an earlier move stored equal content. `refused`: the record was left out. */
export type MoveOutcome = 'new' | 'equal' | 'changed' | 'refused';

/** Line in the dump (0 if it has none), type and id of a record. */
export interface RecordRef {
  readonly line: number;
  readonly type: string;
  readonly id: string;
}

/** A problem of a record that was left out. A record may have several. */
export interface RefusedRecord extends RecordRef {
  readonly field?: string;
  readonly problem: string;
  readonly remedy: string;
}

/** A remark about a moved record, such as a missing part. */
export interface NotedRecord extends RecordRef {
  readonly note: string;
}

/** A row that has another id in this service than in the live system. */
export interface OtherId extends RecordRef {
  /** Id in this service; null if a dry run does not know the id. */
  readonly idHere: string | null;
}

/** Limit of each list of the report; further entries are only counted. */
const MOST_LISTED = 1000;
/** Limit of each list on the terminal and in a `.txt` file. */
const MOST_SHOWN = 20;

const NO_COUNTS: Readonly<Record<MoveOutcome, number>> = { new: 0, equal: 0, changed: 0, refused: 0 };
const OUTCOMES = ['new', 'equal', 'changed', 'refused'] as const;
const DEFAULT_REMEDY =
  'correct it in the live system, make the dump again if you use one, and call the command again; or correct the line of the dump';

/** Collects the outcome of each record while a dump is moved. */
export class MoveReport {
  readonly #counts = new Map<string, Record<MoveOutcome, number>>();
  readonly #refused: RefusedRecord[] = [];
  readonly #notes: NotedRecord[] = [];
  readonly #otherIds: OtherId[] = [];
  readonly #superusers: string[] = [];
  #refusedCount = 0;
  #noteCount = 0;
  #otherIdCount = 0;
  #superuserCount = 0;

  count({ type }: Pick<RecordRef, 'type'>, outcome: MoveOutcome): void {
    const counts = this.#counts.get(type) ?? { ...NO_COUNTS };
    counts[outcome] += 1;
    this.#counts.set(type, counts);
  }

  /** Counts a record as refused. A problem may end with a semicolon and the remedy. */
  refuse(ref: RecordRef, problems: readonly { readonly field?: string | undefined; readonly problem: string }[]): void {
    this.count({ type: ref.type === '' ? 'unknown' : ref.type }, 'refused');
    for (const { field, problem } of problems) {
      this.#refusedCount += 1;
      if (this.#refused.length >= MOST_LISTED) continue;
      const [what = '', ...remedy] = problem.replace(/\.$/, '').split('; ');
      const named = field === undefined ? {} : { field };
      this.#refused.push({ ...ref, ...named, problem: what, remedy: remedy.join('; ') || DEFAULT_REMEDY });
    }
  }

  note({ line, type, id }: RecordRef, note: string): void {
    this.#noteCount += 1;
    if (this.#notes.length < MOST_LISTED) this.#notes.push({ line, type, id, note });
  }

  otherId({ line, type, id }: RecordRef, idHere: string | null): void {
    this.#otherIdCount += 1;
    if (this.#otherIds.length < MOST_LISTED) this.#otherIds.push({ line, type, id, idHere });
  }

  superuser(username: string): void {
    this.#superuserCount += 1;
    if (this.#superusers.length < MOST_LISTED) this.#superusers.push(username);
  }

  /** Number of records of all types with this outcome. */
  total(outcome: MoveOutcome): number {
    return [...this.#counts.values()].reduce((sum, counts) => sum + counts[outcome], 0);
  }

  all(): number {
    return OUTCOMES.reduce((sum, outcome) => sum + this.total(outcome), 0);
  }

  body(facts: { readonly source: string; readonly isTrial: boolean }): object {
    return {
      source: facts.source,
      dry_run: facts.isTrial,
      counts: Object.fromEntries(this.#counts),
      refused: this.#refused,
      refused_count: this.#refusedCount,
      notes: this.#notes,
      note_count: this.#noteCount,
      other_ids: this.#otherIds.map(({ idHere, ...ref }) => ({ ...ref, id_here: idHere })),
      other_id_count: this.#otherIdCount,
      superusers: this.#superusers,
      superuser_count: this.#superuserCount,
    };
  }

  /** Lines for the terminal or a `.txt` file: a line for each type, then the first entries of each list. */
  lines(isTrial: boolean): readonly string[] {
    const would = isTrial ? ' (dry run: nothing was stored)' : '';
    const all = [...this.#counts].map(([type, counts]) => {
      const numbers = `${counts.new} new, ${counts.changed} changed, ${counts.equal} equal, ${counts.refused} refused`;
      return `${type}: ${numbers}${would}`;
    });
    const isSame = this.total('equal') === this.all();
    return [
      ...all,
      ...listed(this.#refused, { what: 'refused', count: this.#refusedCount }, ({ field = '', problem, remedy }) => {
        return `${field === '' ? '' : `${field}: `}${problem}; ${remedy}`;
      }),
      ...listed(this.#notes, { what: 'note', count: this.#noteCount }, ({ note }) => note),
      ...listed(
        this.#otherIds,
        { what: 'other id', count: this.#otherIdCount },
        ({ idHere }) => `here ${idHere ?? 'a new id'}`,
      ),
      ...this.#superuserLines(),
      ...(isSame ? ['Everything that can be moved is here already; nothing changed.'] : []),
    ];
  }

  #superuserLines(): readonly string[] {
    const first = this.#superusers.slice(0, MOST_SHOWN);
    if (first.length === 0) return [];
    const rest = this.#superuserCount - first.length;
    return [`superusers: ${first.map(oneLine).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`];
  }
}

const oneLine = (text: string): string => replaceControlCharacters(text, () => ' ');

/** For each kind of entries: text for the number of entries that are not shown. */
const REST = {
  refused: (rest: number): string => `${countOf(rest, 'more problem')} of refused records`,
  note: (rest: number): string => countOf(rest, 'more note'),
  'other id': (rest: number): string => countOf(rest, 'more other id'),
} as const;

interface Listing {
  readonly what: keyof typeof REST;
  readonly count: number;
}

function listed<T extends RecordRef>(
  entries: readonly T[],
  { what, count }: Listing,
  textOf: (entry: T) => string,
): readonly string[] {
  const first = entries.slice(0, MOST_SHOWN);
  const lines = first.map((each) => {
    const place = each.line === 0 ? '' : ` line ${each.line}`;
    return oneLine(`  ${what}${place} ${each.type} ${each.id}: ${textOf(each)}`);
  });
  const rest = count - first.length;
  return rest > 0 ? [...lines, `  and ${REST[what](rest)}; --report FILE.json lists up to 1,000`] : lines;
}

/** Writes the report as text if the file name ends in `.txt`, otherwise as JSON. */
export async function writeMoveReport(
  path: string,
  report: MoveReport,
  facts: { readonly source: string; readonly isTrial: boolean },
): Promise<void> {
  const text = path.endsWith('.txt')
    ? report.lines(facts.isTrial).join('\n')
    : JSON.stringify(report.body(facts), null, 2);
  await writeFile(path, `${text}\n`);
}
