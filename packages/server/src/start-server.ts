import { DEFAULT_QUEUE } from '@headwater/core/runs';
import { type Logger, type Place, type Run, systemTimers } from '@headwater/core';
import type { Headwater } from '@headwater/http-adapter-fastify';
import { createAddresses } from '@headwater/http-service';
import { bannerHead, bannerText, linksNote, openLine } from './banner.ts';
import { createBoundaryData } from './boundary-data.ts';
import { compose, type Surroundings } from './composition.ts';
import { printedCommand } from './config/printed-command.ts';
import type { Config } from './config/read-config.ts';
import { checkCredentials } from './config/credentials.ts';
import { checkBucketAtStart } from './object-storage/open-bucket.ts';
import { debugOf, logOutgoing } from './debug-log.ts';
import { refuseSecondDatabase } from './data-dir.ts';
import { openingDatabase } from './database.ts';
import { publishOtherLayers, runFirstJob } from './first-job.ts';
import { makeAllLayers } from './layers-summary.ts';
import { checkAddress, listen, listenForMaps, sendClientsAway, stopListening } from './http-server.ts';
import { notePorts } from './served-ports.ts';
import { DATA, type FoundPlaces, followPlaces, seedPlaces } from './places.ts';
import { createProgressBar } from '@headwater/stac-cli/terminal';
import type { SampleJob } from './compute-layer.ts';
import { generateSample, type SampleSummary } from '@headwater/sample-world';
import { ensureSuperuser, type Superuser } from './superuser.ts';
import type { Terminal } from '@headwater/stac-cli/terminal';

/** A running server. */
export interface StartedServer {
  /**
   * Resolves when the sample is generated and the runs of its layers have ended, even if runs failed. Rejects if the
   * generation failed or the first run could not start.
   */
  readonly ready: Promise<void>;
  /**
   * Stops listening, sends pending responses, and returns running work to the queue. Takes at most 8 s after
   * STOP_DELAY_SECONDS.
   */
  close(): Promise<void>;
}

const GRACE_MS = 2500;
/** Time for pending responses after the close has begun, ms. */
const RESPONSES_MS = 5000;
const WORKED_ELSEWHERE = `WORKER is off: runs wait in queue ${DEFAULT_QUEUE} for processes with the same settings, started by`;

/** Environment of a server with terminal output. */
export interface ServerSurroundings extends Surroundings {
  readonly terminal: Terminal;
}

async function makeSample(
  { config, ...showing }: Pick<Started, 'config' | 'logger' | 'terminal'>,
  signal: AbortSignal,
): Promise<SampleSummary | undefined> {
  if (!config.sample) return undefined;
  const bar = createProgressBar('sample data', showing);
  try {
    const summary = await generateSample({
      dataDir: config.dataDir,
      ...(config.sampleSizeKm === undefined ? {} : { sizeKm: config.sampleSizeKm }),
      signal,
      progress: (share) => bar.update(share, 'scenes'),
    });
    const size = `${summary.sizeKm} x ${summary.sizeKm} km`;
    bar.done(
      summary.created
        ? `sample data are generated: ${summary.scenes} scenes of ${size}, ${summary.mws} micro-watersheds`
        : `sample data exist already (${size})`,
    );
    return summary;
  } finally {
    bar.end();
  }
}

const isSample = (place: Place, sample: SampleSummary | undefined): boolean =>
  sample !== undefined && place.tehsil.name === sample.tehsil && place.district.name === sample.district;

interface Started {
  readonly config: Config;
  readonly headwater: Headwater;
  readonly logger: Logger;
  readonly terminal: Terminal;
  readonly superuser: Superuser;
  readonly onSample: () => void;
  readonly early: Promise<SampleSummary | undefined> | undefined;
}

interface Prepared extends FoundPlaces {
  readonly sample: SampleSummary | undefined;
}

/**
 * Generates the sample, stores the places and starts the worker. The worker also starts after a failure, because
 * otherwise stored runs would wait for ever.
 */
async function makeData(started: Started, signal: AbortSignal): Promise<Prepared> {
  const { config, headwater, logger } = started;
  const { stores } = headwater;
  const make = async (lockSignal: AbortSignal): Promise<Prepared> => {
    const sample = await (started.early ?? makeSample(started, lockSignal));
    return { sample, ...(await seedPlaces({ dataDir: config.dataDir, stores, logger })) };
  };
  try {
    // Servers on one database share DATA_DIR; only the first server generates the data.
    return await stores.installation.withLock(DATA, make, signal);
  } finally {
    started.onSample();
    await headwater.start();
  }
}

async function prepare(started: Started, signal: AbortSignal): Promise<void> {
  const { config, headwater, logger, superuser, terminal } = started;
  const { sample, places, account, since } = await makeData(started, signal);
  const deps = { dataDir: config.dataDir, stores: headwater.stores, logger };
  void followPlaces(deps, { since, signal, sleep: systemTimers.sleep });
  const place = places.find((found) => isSample(found, sample)) ?? places[0];
  const years = sample === undefined ? ([2022, 2023] as const) : ([sample.startYear, sample.endYear] as const);
  terminal.write(bannerText({ ...config, superuser, place, years, accountId: account.id }));
  if (sample !== undefined && place !== undefined)
    await computeSample(
      started,
      {
        place,
        years,
        accountId: account.id,
        owner: superuser.user,
        isOrchestrated: config.orchestrator !== undefined,
      },
      signal,
    );
  terminal.write(openLine(config.baseUrl));
}

/** Computes all layers, or without `allLayers` only land cover, micro-watersheds, villages and NDVI series. */
async function computeSample(
  { headwater, config, ...showing }: Started,
  job: SampleJob,
  signal: AbortSignal,
): Promise<void> {
  const addresses = createAddresses(config.baseUrl);
  const itemsOf = async ({ id }: Run): Promise<readonly string[]> =>
    (await headwater.stores.catalog.itemsOfRun(id)).map((item) => addresses.item(item.collectionPath, item.id));
  const following = { ...showing, signal };
  if (config.allLayers) {
    showing.terminal.write(await makeAllLayers(headwater, job, { following, addresses, itemsOf }));
    return;
  }
  const run = await runFirstJob(headwater, job, following);
  for (const address of run === undefined ? [] : await itemsOf(run)) showing.terminal.write(`  ${address}\n`);
  await publishOtherLayers(headwater, job, following);
}

/** Starts everything; resolves when the server listens. */
export async function startServer(config: Config, surroundings: ServerSurroundings): Promise<StartedServer> {
  const { logger, terminal } = surroundings;
  await checkAddress(config);
  refuseSecondDatabase(config);
  logger.info({}, openingDatabase(config));
  const stopping = new AbortController();
  const endLog = logOutgoing(debugOf(config, logger));
  let early: Started['early'];
  // The sample is generated while the database is being created, because only the sample's place needs the database.
  const onMakingDatabase = (): void => {
    early = makeSample({ config, logger, terminal }, stopping.signal);
    // `makeData` handles this error. Without this handler, the error would end the process earlier.
    early.catch(() => {});
  };
  const onCompactingDatabase = (freeBytes: number): void =>
    logger.info({}, `the embedded database is being compacted: ${Math.round(freeBytes / 1e6)} MB of a table are free`);
  const boundaries = createBoundaryData(config);
  let isLeaving = false;
  // A stopping server is not ready, so that proxies send no more requests.
  const fault = (): string | undefined => surroundings.fault?.() ?? (isLeaving ? 'the server is stopping' : undefined);
  let isMakingScenes = config.sample;
  const onSample = (): void => void (isMakingScenes = false);
  const shown = { ...surroundings, fault, boundariesHealth: boundaries?.health, isMakingScenes: () => isMakingScenes };
  const headwater = await compose(config, { ...shown, onMakingDatabase, onCompactingDatabase }).catch(
    async (error: unknown) => {
      stopping.abort();
      await early?.catch(() => {});
      endLog();
      throw error;
    },
  );
  try {
    const { accounts, stores } = headwater;
    const warning = await checkCredentials(config, stores.eoAccounts);
    if (warning !== undefined) logger.info({}, `warning: ${warning}`);
    await checkBucketAtStart(config, { installation: stores.installation, logger });
    const { superuserPassword: password, containerMarker } = config;
    const superuser = await stores.installation.withLock('superuser', () =>
      ensureSuperuser({ accounts, stores, password, containerMarker, shell: config.shell }),
    );
    if (superuser.password !== undefined) terminal.write(bannerHead({ ...config, superuser }));
    if (superuser.warning !== undefined) logger.error({}, superuser.warning);
    const app = await listen(config, headwater);
    const maps = await listenForMaps(config, headwater, logger);
    const ports = [config.port, ...(maps === undefined ? [] : [config.mapServerPort])];
    // A failure is ignored, because only `headwater check` needs the file.
    const forgetPorts = await notePorts(config.dataDir, ports).catch(() => async () => {});
    logger.info({ address: config.baseUrl, host: config.host, port: config.port }, 'listening');
    const note = linksNote(config);
    if (note !== undefined) logger.info({}, note);
    if (!config.worker) logWorkersElsewhere(config, logger);
    const ready = prepare({ config, headwater, logger, terminal, superuser, onSample, early }, stopping.signal).catch(
      (error: unknown) => {
        if (!stopping.signal.aborted) throw error;
      },
    );
    // The boundary data are imported last, because the import would compete for terminal, disk and processor.
    const follow = (): Promise<void> | undefined =>
      boundaries?.follow({ stores: headwater.stores, logger, terminal, signal: stopping.signal });
    const followed = ready.then(follow, follow);
    const close = async (): Promise<void> => {
      const apps = maps === undefined ? [app] : [app, maps];
      isLeaving = config.stopDelayMs > 0;
      await Promise.all([...apps.map(sendClientsAway), systemTimers.sleep(config.stopDelayMs)]);
      stopping.abort();
      await Promise.all([...apps.map((each) => stopListening(each, RESPONSES_MS)), headwater.close(GRACE_MS)]);
      await Promise.all([ready.catch(() => {}), followed, forgetPorts()]);
      endLog();
    };
    return { ready, close };
  } catch (error) {
    stopping.abort();
    await Promise.all([early?.catch(() => {}), headwater.close(0)]);
    endLog();
    throw error;
  }
}

function logWorkersElsewhere({ shell }: Pick<Config, 'shell'>, logger: Logger): void {
  const command = printedCommand(shell, `worker --queue ${DEFAULT_QUEUE}`);
  logger.info({ queue: DEFAULT_QUEUE }, `${WORKED_ELSEWHERE} \`${command}\``);
}
