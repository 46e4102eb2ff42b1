/** Values of one quantity over time. */
export interface Series {
  /** Quantity and unit, such as `service: resident memory, MB`. */
  readonly name: string;
  /** Largest growth between the end of the warm-up and the end of the soak, in the unit of the series. */
  readonly bar: number;
  /** Time in seconds and value of each sample. */
  readonly points: readonly (readonly [number, number])[];
}

/** Verdict of a series: its growth by a straight line through the samples after the warm-up. */
export interface Verdict extends Series {
  readonly growth: number;
  readonly isFlat: boolean;
}

/** Number of groups of samples. Only the lowest sample of a group is judged, because memory before a garbage collection has no meaning. */
const GROUPS = 24;

/**
 * Judges the samples of a series after the time `from`, s. Its growth is the median slope (Theil-Sen) of the lowest values of groups of
 * samples.
 */
export function judge(series: Series, from: number): Verdict {
  const end = series.points.at(-1)?.[0] ?? 0;
  const lows = lowest(
    series.points.filter(([at]) => at >= from),
    (end - from) / GROUPS,
  );
  const slopes = lows.flatMap(([a, low], i) => lows.slice(i + 1).map(([b, high]) => (high - low) / (b - a)));
  const growth = (median(slopes) ?? 0) * (end - from);
  return { ...series, growth, isFlat: growth <= series.bar };
}

function lowest(points: Series['points'], width: number): [number, number][] {
  const groups = new Map<number, [number, number]>();
  for (const [at, value] of points) {
    const group = Math.floor(at / width);
    const low = groups.get(group);
    if (low === undefined || value < low[1]) groups.set(group, [at, value]);
  }
  return [...groups.values()];
}

function median(values: readonly number[]): number | undefined {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

const [WIDTH, HEIGHT, LEFT, TOP] = [420, 150, 48, 26];
const ROOM = { right: 12, bottom: 22 } as const;
/** Largest number of points of a plot. */
const DRAWN = 120;

/** SVG with one plot per series, two plots in a row; the warm-up, which ends at `from`, s, is grey. */
export function plots(verdicts: readonly Verdict[], title: string, from: number): string {
  const rows = Math.ceil(verdicts.length / 2);
  const body = verdicts.map((verdict, at) =>
    plot(verdict, { x: (at % 2) * WIDTH, y: 30 + Math.floor(at / 2) * HEIGHT, from }),
  );
  const size = { width: 2 * WIDTH, height: 30 + rows * HEIGHT };
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" width="${size.width}" height="${size.height}" font-family="sans-serif" font-size="11" role="img" aria-label="${title}">
<rect width="${size.width}" height="${size.height}" fill="#fff"/>
<text x="12" y="20" font-size="14" font-weight="bold">${title}</text>
${body.join('\n')}
</svg>
`;
}

interface Frame {
  readonly x: number;
  readonly y: number;
  /** End of the warm-up, s. */
  readonly from: number;
}

function plot({ name, points, growth, isFlat }: Verdict, { x, y, from }: Frame): string {
  const [width, height] = [WIDTH - LEFT - ROOM.right, HEIGHT - TOP - ROOM.bottom];
  const end = points.at(-1)?.[0] ?? 1;
  const most = Math.max(1, ...points.map(([, value]) => value)) * 1.1;
  const kept = points.filter((_, at) => at % Math.ceil(points.length / DRAWN) === 0);
  const line = kept.map(
    ([at, value]) => `${((at / end) * width).toFixed(1)},${(height * (1 - value / most)).toFixed(1)}`,
  );
  const text = `${name} (${growth < 0 ? '' : '+'}${shown(growth)}${isFlat ? '' : ', grows'})`;
  return `<g transform="translate(${x + LEFT},${y + TOP})">
<text x="0" y="-8">${text}</text>
<rect width="${(width * Math.min(1, from / end)).toFixed(1)}" height="${height}" fill="#eee"/>
<path d="M0,0V${height}H${width}" fill="none" stroke="#666"/>
<text x="-4" y="8" text-anchor="end">${shown(most)}</text><text x="-4" y="${height}" text-anchor="end">0</text>
<text x="${width}" y="${height + 14}" text-anchor="end">${(end / 60).toFixed(1)} min</text>
<polyline points="${line.join(' ')}" fill="none" stroke="${isFlat ? '#0b6e99' : '#b3261e'}"/>
</g>`;
}

const shown = (value: number): string => (Math.abs(value) < 10 ? value.toFixed(1) : value.toFixed(0));
