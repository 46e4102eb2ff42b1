import { countOf } from '@headwater/core/values';
import { messageOf, publicAddress, systemTimers } from '@headwater/core';
import type { HealthPart } from '@headwater/http-service';
import type { Config } from './config/read-config.ts';
import { HeldElsewhere, obtainBoundaries, type Obtained, type ObtainOptions } from './obtain-boundaries.ts';

/** The command that goes on with a download that failed. */
export const GO_ON = 'npx headwater download-boundaries';

/** Pause between two looks whether another process still downloads, ms. */
const LOOK_MS = 15_000;

/** Boundary data that a service downloads beside its work. */
export interface BoundaryData {
  /** How far it is, for health. */
  readonly health: () => HealthPart;
  /** Downloads and stores them where they are not there yet. Never rejects: a failure is a line of the log; ends at once when the signal aborts. */
  readonly follow: (deps: Pick<ObtainOptions, 'stores' | 'logger' | 'terminal' | 'signal'>) => Promise<void>;
}

/** The boundary data of a configuration; undefined where none are to be downloaded. */
export function createBoundaryData(config: Config): BoundaryData | undefined {
  const { boundaryData } = config;
  if (boundaryData === undefined) return undefined;
  let part: HealthPart = { state: 'starting', detail: 'the download begins when the start-up work is over' };
  const say = (detail: string): void => void (part = { state: 'starting', detail });
  const follow: BoundaryData['follow'] = async (deps) => {
    const { logger, signal } = deps;
    try {
      const obtained = await whenFree({ config, boundaryData, ...deps, say });
      part = { state: 'ok', detail: obtained.isNew ? 'downloaded and stored' : 'stored by an earlier start' };
      if (obtained.isNew)
        logger.info(countsOf(obtained), `boundary data are stored; refused and repaired rows: ${obtained.report}`);
    } catch (error) {
      if (signal.aborted) return;
      const reason = messageOf(error);
      part = { state: 'warning', detail: `${reason} Go on: ${GO_ON}` };
      logger.error(
        { source: publicAddress(boundaryData.url), reason },
        `boundary data are not there yet, and the service goes on without them; what came of them is kept. Go on: ${GO_ON}`,
      );
    }
  };
  return { health: () => part, follow };
}

/** Tries again while another process is at it: that may die, and then this one goes on. */
async function whenFree(options: ObtainOptions): Promise<Obtained> {
  for (;;) {
    try {
      return await obtainBoundaries(options);
    } catch (error) {
      options.signal.throwIfAborted();
      if (!(error instanceof HeldElsewhere)) throw error;
      options.say(error.message);
    }
    await systemTimers.sleep(LOOK_MS, options.signal);
    options.signal.throwIfAborted();
  }
}

/** For the log: what became of each kind. */
function countsOf({ imports }: Obtained): Readonly<Record<string, string>> {
  const counts = imports.flatMap(({ report }) => {
    if (report === undefined) return [];
    const { kind, stored, unchanged, refusedCount } = report;
    return [[kind, `${countOf(stored, 'feature')} stored, ${unchanged} unchanged, ${refusedCount} refused`] as const];
  });
  return Object.fromEntries(counts);
}
