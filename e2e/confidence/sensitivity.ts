// npm run confidence -- thresholds: writes docs/accuracy/thresholds.md, which shows the effect if one threshold is 20 %
// lower or higher.
import { readFileSync, writeFileSync } from 'node:fs';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

const SOURCE = new URL('../../packages/land-cover/src/method/thresholds.ts', import.meta.url);
const REPORT = new URL('../../docs/accuracy/thresholds.md', import.meta.url);
const SEED = 7;
const EACH = 40;
/**
 * Thresholds that are not varied. `sclKeep` and `sclGrow` are scene classes, which have no order. The length and the
 * numbers of steps must fit the year and the kernel.
 */
const FIXED = new Set(['stepDays', 'coreSteps', 'marginSteps', 'sclKeep', 'sclGrow']);

interface Variant {
  readonly name: string;
  readonly factor: number;
}
type Shares = Readonly<Record<string, number>>;

/**
 * Shares of right pixels with one changed threshold. Other modules read the thresholds at import, so these modules are
 * loaded after the change.
 */
async function sharesOf({ name, factor }: Variant): Promise<Shares> {
  const { LULC_THRESHOLDS } = await import('../../packages/land-cover/src/method/thresholds.ts');
  const value: unknown = Reflect.get(LULC_THRESHOLDS, name);
  const numbers = Array.isArray(value) ? value.map(Number) : undefined;
  if (typeof value === 'number') Reflect.set(LULC_THRESHOLDS, name, changed(value, factor));
  if (numbers !== undefined)
    Reflect.set(
      LULC_THRESHOLDS,
      name,
      numbers.map((one) => changed(one, factor)),
    );
  const { judgeSettings, SETTINGS } = await import('./observed.ts');
  const judged = judgeSettings(SEED, EACH);
  return Object.fromEntries(
    SETTINGS.map((setting) => {
      const { labels, isRight } = judged[setting];
      return [setting, labels.filter((_, pixel) => isRight(pixel)).length / labels.length];
    }),
  );
}

/** Returns a threshold times a factor. Whole numbers stay whole, and change by at least one. */
const changed = (value: number, factor: number): number =>
  Number.isInteger(value) && factor !== 1
    ? value + Math.sign(factor - 1) * Math.max(1, Math.round(Math.abs(value * (factor - 1))))
    : value * factor;

interface Threshold {
  readonly name: string;
  readonly value: string;
  readonly text: string;
}

/** Returns the thresholds in the order of the source file. */
export function thresholdsOf(source: string): readonly Threshold[] {
  const table = source.slice(source.indexOf('LULC_THRESHOLDS'), source.indexOf('} as const'));
  let text = '';
  return [...table.matchAll(/\/\*\*([\s\S]*?)\*\/|^ {2}(\w+): ([^\n]+),$/gm)].flatMap(([, comment, name, value]) => {
    if (comment !== undefined) text = comment.replaceAll(/\s*\n\s*\*\s*/g, ' ').trim();
    return name === undefined || value === undefined ? [] : [{ name, value, text }];
  });
}

function run(variant: Variant): Promise<Shares> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: variant, execArgv: process.execArgv });
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

const percent = (share: number): string => (100 * share).toFixed(1);
const difference = (now: Shares, base: Shares): string =>
  Object.keys(base)
    .map((setting) => {
      const points = 100 * ((now[setting] ?? 0) - (base[setting] ?? 0));
      return Math.abs(points) < 0.05 ? '0' : `${points > 0 ? '+' : ''}${points.toFixed(1)}`;
    })
    .join(', ');

export async function writeThresholds(): Promise<void> {
  const base = await run({ name: '', factor: 1 });
  const lines: string[] = [];
  for (const { name, value, text } of thresholdsOf(readFileSync(SOURCE, 'utf8'))) {
    const isNumber = /^[-\d.[\], ]+$/.test(value) && !FIXED.has(name);
    const [less, more] = isNumber
      ? await Promise.all([run({ name, factor: 0.8 }), run({ name, factor: 1.2 })])
      : [undefined, undefined];
    const cells = [less, more].map((now) => (now === undefined ? 'not varied' : difference(now, base)));
    lines.push(`| \`${name}\` | ${value} | ${cells.join(' | ')} | ${text.replaceAll('|', '\\|')} |`);
    console.log(name, ...cells);
  }
  const settings = Object.entries(base).map(([setting, share]) => `${setting} ${percent(share)} %`);
  writeFileSync(
    REPORT,
    `# Thresholds of land cover

\`npm run confidence -- thresholds\` writes this table. Columns "20 % less" and "20 % more": change of the share of correct pixels, in percentage points, in the synthetic settings
${Object.keys(base).join(', ')} if only this threshold is changed (whole numbers change by at least 1). Shares without a change: ${settings.join(', ')}.

| threshold | value | 20 % less | 20 % more | meaning, reason and source |
| --- | --- | --- | --- | --- |
${lines.join('\n')}
`,
  );
}

const port = parentPort;
if (!isMainThread && port !== null) port.postMessage(await sharesOf(workerData));
