import { countOf } from '@headwater/core/values';
import { messageOf, publicAddress, systemTimers } from '@headwater/core';
import type { HealthPart } from '@headwater/http-service';
import { printedCommand } from './config/printed-command.ts';
import type { Config } from './config/read-config.ts';
import { LockedElsewhere, obtainBoundaries, type Obtained, type ObtainOptions } from './obtain-boundaries.ts';

const LOOK_MS = 15_000;

/** Boundary data that a service downloads in the background. */
export interface BoundaryData {
  readonly health: () => HealthPart;
  /** Downloads and stores missing data. Ends early if the signal aborts. Never rejects, because failures are logged. */
  readonly follow: (deps: Pick<ObtainOptions, 'stores' | 'logger' | 'terminal' | 'signal'>) => Promise<void>;
}

/** Boundary data of a configuration; undefined if none is configured. */
export function createBoundaryData(config: Config): BoundaryData | undefined {
  const { boundaryData, shell } = config;
  if (boundaryData === undefined) return undefined;
  let part: HealthPart = { state: 'starting', detail: 'the download begins when the start-up work is over' };
  const setDetail = (detail: string): void => void (part = { state: 'starting', detail });
  const follow: BoundaryData['follow'] = async (deps) => {
    const { logger, signal } = deps;
    try {
      const obtained = await whenFree({ config, boundaryData, ...deps, setDetail });
      part = { state: 'ok', detail: obtained.isNew ? 'downloaded and stored' : 'stored by an earlier start' };
      if (obtained.isNew)
        logger.info(
          countsOf(obtained),
          `boundary data are stored; the file ${obtained.report} lists refused and repaired rows`,
        );
    } catch (error) {
      if (signal.aborted) return;
      const reason = messageOf(error);
      const command = printedCommand(shell, 'download-boundaries');
      part = { state: 'warning', detail: `${reason} Continue with: ${command}` };
      logger.error(
        { source: publicAddress(boundaryData.url), reason },
        `the boundary data could not be downloaded; the service runs without them and keeps the downloaded part. Continue with: ${command}`,
      );
    }
  };
  return { health: () => part, follow };
}

/** Waits for a download by another process. Continues the download if that process ends early. */
async function whenFree(options: ObtainOptions): Promise<Obtained> {
  for (;;) {
    try {
      return await obtainBoundaries(options);
    } catch (error) {
      options.signal.throwIfAborted();
      if (!(error instanceof LockedElsewhere)) throw error;
      options.setDetail(error.message);
    }
    await systemTimers.sleep(LOOK_MS, options.signal);
    options.signal.throwIfAborted();
  }
}

function countsOf({ imports }: Obtained): Readonly<Record<string, string>> {
  const counts = imports.flatMap(({ report }) => {
    if (report === undefined) return [];
    const { kind, stored, unchanged, refusedCount } = report;
    return [[kind, `${countOf(stored, 'feature')} stored, ${unchanged} unchanged, ${refusedCount} refused`] as const];
  });
  return Object.fromEntries(counts);
}
