import type { Counts } from './loads.ts';
import { plots, type Verdict } from './series.ts';

/** Results of a soak. */
export interface Outcome {
  /** Length of the measured time after the warm-up, minutes. */
  readonly minutes: number;
  readonly warmUp: number;
  readonly counts: ReadonlyMap<string, Counts>;
  readonly verdicts: readonly Verdict[];
  /** Rows by table before the load, after the load, and after the removal of old rows. */
  readonly rows: Readonly<Record<'first' | 'last' | 'kept', ReadonlyMap<string, number>>>;
}

/** Returns the page and the plots of a soak, without tables whose number of rows never changed. */
export function report(
  { minutes, warmUp, counts, verdicts, rows }: Outcome,
  machine: string,
): { readonly markdown: string; readonly svg: string } {
  const measured = verdicts.filter(({ name }) => !name.startsWith('rows of '));
  const changed = [...rows.last].filter(
    ([table, count]) => count !== rows.first.get(table) || count !== rows.kept.get(table),
  );
  const shownTables = new Set(changed.map(([table]) => `rows of ${table}`));
  const svg = plots(
    [...measured, ...verdicts.filter(({ name }) => shownTables.has(name))],
    `A soak of ${minutes} minutes after a warm-up of ${warmUp} minutes`,
    warmUp * 60,
  );
  const markdown = `# Soak

\`npm run test:soak -- --minutes ${minutes} --warm-up ${warmUp} --write\` writes this page. A service with \`WORKER=off\`, one worker and a PostgreSQL of the test were under
mixed load for ${warmUp} + ${minutes} minutes: ${machine}. Files of replaced Items were removed at once (\`REPLACED_FILES_HOURS=0\`); a request that met such a removal was sent again.

![Memory, handles, delays, files and rows over time](soak.svg)

| load | responses by status | requests a second |
| --- | --- | --- |
${[...counts].map(loadRow(warmUp + minutes)).join('\n')}

The growth is that of a straight line (Theil-Sen) through the lowest values of the last ${minutes} minutes. In the first ${warmUp} minutes (grey) the same requests fill caches and pools.

| quantity | at the end | growth | largest allowed growth |
| --- | --- | --- | --- |
${measured.map(measuredRow).join('\n')}

Rows of runs, sign-ins and replaced Items stay until they are old. So after the load every stored time was moved into the past, and a service and a
worker were started, which removed what was old. Runs whose Items are still published stay with them.

| table | before the load | after the load | after the removal |
| --- | --- | --- | --- |
${changed.map(([table, count]) => `| \`${table}\` | ${rows.first.get(table) ?? 0} | ${count} | ${rows.kept.get(table) ?? 0} |`).join('\n')}
`;
  return { markdown, svg };
}

const loadRow =
  (minutes: number) =>
  ([name, counts]: readonly [string, Counts]): string => {
    const all = [...counts.values()].reduce((a, b) => a + b, 0);
    const statuses = [...counts].map(([status, count]) => `${count} x ${status}`).join(', ');
    return `| ${name} | ${statuses} | ${(all / minutes / 60).toFixed(1)} |`;
  };

function measuredRow({ name, points, growth, bar }: Verdict): string {
  return `| ${name} | ${(points.at(-1)?.[1] ?? 0).toFixed(0)} | ${growth.toFixed(1)} | ${bar} |`;
}
