import { DATA_LIMITS } from '@headwater/core/runs';
import type { PublishedSeries } from '@headwater/core';
import type { ImportRequest } from '../shared/importer.ts';
import { badFile } from '../shared/import-deps.ts';
import type { SeriesForm } from './series-forms.ts';

type Values = Map<string, (number | null)[]>;

/** Numbers by series, micro-watershed and day, gathered in any order. */
export class GatheredSeries {
  readonly #request: ImportRequest;
  /** Day -> where its number stands until the end. */
  readonly #days = new Map<string, number>();
  readonly #series = new Map<SeriesForm, Values>();
  #count = 0;

  constructor(request: ImportRequest) {
    this.#request = request;
  }

  /** Whether this number is there already. */
  has(form: SeriesForm, uid: string, day: string): boolean {
    const at = this.#days.get(day);
    return at !== undefined && this.#series.get(form)?.get(uid)?.[at] !== undefined;
  }

  /** Takes a number; null where it is not known. Throws `validation` where they are more than can be stored. */
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
    // Every uid of a series has a value for each of the days.
    if (this.#count * this.#days.size > DATA_LIMITS.values)
      throw badFile(
        this.#request,
        `its days and micro-watersheds make more than ${DATA_LIMITS.values} numbers; split it.`,
      );
  }

  /** The series with their days ascending; what no number came for is null. */
  published(tehsilId: number): readonly PublishedSeries[] {
    const order = [...this.#days].sort(([a], [b]) => (a < b ? -1 : 1));
    return [...this.#series].map(([{ name, unit, description }, values]) => {
      // Days of another series of the file are none of this one.
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
