import { DATA_LIMITS } from '@headwater/core/runs';
import type { PublishedSeries } from '@headwater/core';
import { type ImportRequest, badFile } from '../shared/import-deps.ts';
import type { SeriesForm } from './series-forms.ts';

type Values = Map<string, (number | null)[]>;

/** Collects numbers by series, micro-watershed and day. */
export class SeriesCollector {
  readonly #request: ImportRequest;
  /** Index of each day in the lists. */
  readonly #days = new Map<string, number>();
  readonly #series = new Map<SeriesForm, Values>();
  #count = 0;

  constructor(request: ImportRequest) {
    this.#request = request;
  }

  /** True if a number or null was added before for this series, micro-watershed and day. */
  has(form: SeriesForm, uid: string, day: string): boolean {
    const at = this.#days.get(day);
    return at !== undefined && this.#series.get(form)?.get(uid)?.[at] !== undefined;
  }

  /** Adds a number; null means unknown. Throws `validation` above the limit of values. */
  add(
    form: SeriesForm,
    { uid, day, value }: { readonly uid: string; readonly day: string; readonly value: number | null },
  ): void {
    const at = this.#days.get(day) ?? this.#days.size;
    this.#days.set(day, at);
    const values: Values = this.#series.get(form) ?? new Map();
    this.#series.set(form, values);
    const own = values.get(uid) ?? [];
    if (!values.has(uid)) this.#count += 1;
    values.set(uid, own);
    own[at] = value;
    // Missing numbers count too, because a stored series has a number or null for each uid and day.
    if (this.#count * this.#days.size > DATA_LIMITS.values)
      throw badFile(
        this.#request,
        `its series have more than ${DATA_LIMITS.values} numbers (number of days times number of micro-watersheds, with missing values); split the file.`,
      );
  }

  /** Series with ascending days; missing numbers are null. */
  published(tehsilId: number): readonly PublishedSeries[] {
    const order = [...this.#days].sort(([a], [b]) => (a < b ? -1 : 1));
    return [...this.#series].map(([{ name, unit, description }, values]) => {
      // Days for which this series has neither a number nor an added null are left out.
      const own = order.filter(([, at]) => [...values.values()].some((each) => each[at] !== undefined));
      const rows = [...values].map(([uid, each]) => [uid, own.map(([, at]) => each[at] ?? null)] as const);
      const dates = own.map(([day]) => day);
      return {
        name,
        tehsilId,
        ...(unit === undefined ? {} : { unit }),
        description,
        dates,
        values: Object.fromEntries(rows),
      };
    });
  }
}
