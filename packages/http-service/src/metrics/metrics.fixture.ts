/** A sample of a metric. */
export interface ParsedSample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/;

/**
 * Parses the text format of Prometheus. Throws for each violation of the format, such as a series that occurs twice.
 */
export function parseMetrics(text: string): readonly ParsedSample[] {
  if (!text.endsWith('\n')) throw new Error('the last line has no line feed');
  const types = new Map<string, string>();
  const seen = new Set<string>();
  const samples: ParsedSample[] = [];
  let family = '';
  for (const line of text.slice(0, -1).split('\n')) {
    const [, kind, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? [];
    if (kind === 'HELP') {
      if (!NAME.test(name) || types.has(name)) throw new Error(`a metric occurs twice or has a wrong name: ${line}`);
      family = name;
    } else if (kind === 'TYPE') {
      if (name !== family || !/^(?:counter|gauge|histogram)$/.test(rest))
        throw new Error(`a wrong type, or the type of another metric: ${line}`);
      types.set(name, rest);
    } else {
      const sample = sampleOf(line);
      const ofFamily =
        types.get(family) === 'histogram' ? sample.name.replace(/_(?:bucket|sum|count)$/, '') : sample.name;
      if (ofFamily !== family) throw new Error(`not below the HELP line of its metric: ${line}`);
      const key = JSON.stringify([sample.name, Object.entries(sample.labels)]);
      if (seen.has(key)) throw new Error(`a series occurs twice: ${line}`);
      seen.add(key);
      samples.push(sample);
    }
  }
  for (const [name, type] of types) {
    if (type === 'histogram') checkBuckets(samples, name);
    if (type === 'counter' && !name.endsWith('_total')) throw new Error(`a counter without _total: ${name}`);
  }
  return samples;
}

function sampleOf(line: string): ParsedSample {
  const [, name, pairs = '', number] = SAMPLE.exec(line) ?? [];
  if (name === undefined || number === undefined) throw new Error(`malformed: ${line}`);
  const labels: Record<string, string> = {};
  for (let rest = pairs; rest !== '';) {
    const [all, label, value] = LABEL.exec(rest) ?? [];
    if (all === undefined || label === undefined || value === undefined) throw new Error(`malformed labels: ${line}`);
    labels[label] = value.replaceAll(/\\(.)/g, (_, char: string) => (char === 'n' ? '\n' : char));
    rest = rest.slice(all.length);
  }
  const value = number === '+Inf' ? Number.POSITIVE_INFINITY : Number(number);
  if (number !== 'NaN' && Number.isNaN(value)) throw new Error(`no number: ${line}`);
  return { name, labels, value };
}

function checkBuckets(samples: readonly ParsedSample[], name: string): void {
  const buckets = samples.filter((sample) => sample.name === `${name}_bucket`);
  const series = Map.groupBy(buckets, ({ labels: { le: _le, ...labels } }) => JSON.stringify(labels));
  for (const [labels, of] of series) {
    const values = of.map(({ value }) => value);
    const count = samples.find((each) => each.name === `${name}_count` && JSON.stringify(each.labels) === labels);
    const isCumulative = values.every((value, at) => value >= (values[at - 1] ?? 0));
    if (!isCumulative || of.at(-1)?.labels['le'] !== '+Inf' || values.at(-1) !== count?.value)
      throw new Error(`the buckets of ${name}${labels} are not cumulative, or do not end with the count`);
  }
}
