import { loadPlace, type Logger, type Run, SILENT } from '@headwater/core';
import { countOf } from '@headwater/core/values';
import type { Headwater } from '@headwater/http-adapter-fastify';
import type { Stores } from '@headwater/identity';
import { lastCompleteYear, lulcPipeline, planReads } from '@headwater/land-cover';
import { placeSlug } from '@headwater/stac';
import { createTerminal } from '@headwater/stac-cli/terminal';
import { compose } from '../composition.ts';
import { computeLayer, type SampleJob } from '../compute-layer.ts';
import { ConfigError } from '../config/config-error.ts';
import { publishOtherLayers } from '../first-job.ts';
import { scenesOf } from '../local-compute.ts';
import { seedPlaces } from '../places.ts';
import { REMEDIES } from '../remedies.ts';
import { answerTo } from './asking.ts';
import { estimateLines, estimateRun } from './estimate.ts';
import { configOf, type Init } from './settings-steps.ts';

const MOST_LISTED = 10;

/** Chooses a first tehsil, prints the expected work, and computes its layers if the user wants them. */
export async function tehsilStep(init: Init, signal: AbortSignal): Promise<void> {
  const { asking, print } = init;
  const logger: Logger = { ...SILENT, error: (_, message) => print(`  ${message}`) };
  const headwater = await compose(configOf(init), { logger, onDeath: (reason) => print(reason.message) });
  try {
    const { account } = await seedPlaces({ dataDir: configOf(init).dataDir, stores: headwater.stores, logger });
    const name = await answerTo(
      { flag: 'tehsil', text: 'First tehsil to compute: NAME, or "NAME, DISTRICT, STATE", or none', fallback: 'none' },
      asking,
    );
    if (name === 'none') {
      await asking.record.store({ tehsil: name });
      print('tehsil: none is computed now');
      return;
    }
    const tehsilId = await findByName(headwater.stores, name);
    const last = lastCompleteYear(new Date());
    const text = await answerTo(
      { flag: 'years', text: 'Hydrological years: 2023, or 2021-2023', fallback: String(last), problem: yearsProblem },
      asking,
    );
    const years = yearsOf(text);
    await asking.record.store({ tehsil: name, years: text });
    const job = await jobOf(headwater, { tehsilId, years, accountId: account.id });
    if (asking.record.isDone('compute', `${tehsilId} ${text}`)) {
      print(`tehsil: ${job.place.tehsil.name} is computed already`);
      return;
    }
    await printCost(init, { headwater, job, signal });
    const wanted = await answerTo(
      { flag: 'compute', text: 'Compute it now: yes or no', fallback: 'yes', problem: yesOrNo },
      asking,
    );
    if (wanted === 'no') print('tehsil: not computed; call init again, or compute it on the dashboard');
    else await computeIt(init, { headwater, job, signal });
    if (wanted === 'yes') await asking.record.store({ 'compute done': `${tehsilId} ${text}` });
  } finally {
    await headwater.close();
  }
}

const YEARS = /^(\d{4})(?:-(\d{4}))?$/;
const yesOrNo = (text: string): string | undefined =>
  /^(yes|no)$/.test(text) ? undefined : `${text} is not an answer; write yes or no.`;

function yearsOf(text: string): readonly [number, number] {
  const [, from = '', to = from] = YEARS.exec(text) ?? [];
  return [Number(from), Number(to)];
}

function yearsProblem(text: string): string | undefined {
  const [from, to] = yearsOf(text);
  return YEARS.test(text) && from <= to ? undefined : `${text} is not a year such as 2023, or years such as 2021-2023.`;
}

/** Finds a tehsil by name, or by name, district and state. Throws `ConfigError` unless exactly one matches. */
async function findByName({ lookups }: Stores, text: string): Promise<number> {
  const parts = text.split(',').map((part) => placeSlug(part.trim()));
  const [slug = ''] = parts;
  const { units } = await lookups.listUnits({ level: 'tehsil', slug, limit: 1000, offset: 0 });
  const matching = units.filter(({ name, district, state }) =>
    [name, district?.name ?? '', state.name].every(
      (each, level) => parts[level] === undefined || parts[level] === placeSlug(each),
    ),
  );
  const [only, ...others] = matching;
  if (only !== undefined && others.length === 0) return only.id;
  const listed = (matching.length > 0 ? matching : units).slice(0, MOST_LISTED);
  const names = listed.map(({ name, district, state }) => `${name}, ${district?.name ?? ''}, ${state.name}`).join('; ');
  const why =
    only === undefined ? `there is no tehsil ${text}` : `${countOf(matching.length, 'tehsil')} have this name`;
  throw new ConfigError(
    `--tehsil: ${why}${names === '' ? '; check its spelling, or import its boundary first' : `; name one of: ${names}`}.`,
  );
}

interface Chosen {
  readonly tehsilId: number;
  readonly years: readonly [number, number];
  readonly accountId: number;
}

async function jobOf({ stores }: Headwater, { tehsilId, years, accountId }: Chosen): Promise<SampleJob> {
  const [place, owner] = await Promise.all([stores.places.placeOfTehsil(tehsilId), stores.users.firstSuperuser()]);
  if (place === undefined || owner === undefined)
    throw new ConfigError('--tehsil: the tehsil or the superuser was removed in the meantime; call init again.');
  return { place, owner, years, accountId };
}

interface Work {
  readonly headwater: Headwater;
  readonly job: SampleJob;
  readonly signal: AbortSignal;
}

/** Prints the expected scenes, bytes and minutes of a run. Finds the scenes by the same search as the run. */
async function printCost(init: Init, { headwater: { stores }, job, signal }: Work): Promise<void> {
  const config = configOf(init);
  const { tehsil } = job.place;
  const place = await loadPlace(tehsil.id, { places: stores.places, remedies: REMEDIES });
  const [from, to] = job.years;
  const years = Array.from({ length: to - from + 1 }, (_, i) => from + i);
  const ports = { earthObservation: scenesOf(config), remedies: REMEDIES };
  const planned = await planReads({ ...place, years }, ports, { signal, maxCloudCover: config.maxCloudCover });
  const newest = await newestRun(stores);
  const estimate = await estimateRun(planned, { allowedOrigins: config.allowedOrigins, newest, signal });
  init.print(`tehsil: ${tehsil.name}, ${job.place.district.name}, ${job.place.state.name}`);
  for (const line of estimateLines(planned, estimate)) init.print(line);
}

async function newestRun({ operatorLists, runs }: Stores): Promise<Run | undefined> {
  const query = { pipeline: lulcPipeline.name, state: 'success', isDescending: true, limit: 1, offset: 0 } as const;
  const [listed] = (await operatorLists.runs(query)).rows;
  return listed && (await runs.get(listed.id));
}

async function computeIt(init: Init, { headwater, job, signal }: Work): Promise<void> {
  const info = ({ percent, step }: Readonly<Record<string, unknown>>, message: string): void =>
    init.print(`  ${message}${typeof percent === 'number' ? ` ${percent} % ${String(step)}` : ''}`);
  const logger: Logger = { ...SILENT, info, error: info };
  const following = { terminal: createTerminal(process.stdout), logger, signal };
  await headwater.start();
  const outcome = await computeLayer(headwater, { pipeline: lulcPipeline, job }, following);
  if ('reason' in outcome)
    throw new ConfigError(`--tehsil: ${job.place.tehsil.name} could not be computed: ${outcome.reason}`);
  if ((await headwater.stores.lookups.unitsBelow(job.place.tehsil.id)).mws)
    await publishOtherLayers(headwater, job, following);
  init.print(`tehsil: ${job.place.tehsil.name} is ${outcome.kind === 'unchanged' ? 'computed already' : 'computed'}`);
}
