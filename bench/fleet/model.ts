// Discrete-event model of a run over many tehsils: a coordinator keeps a few tehsils in the queue, and workers claim them. Assumptions:
// Each worker computes one tehsil at a time. The times of tehsils vary as measured: measured ratios to the mean are drawn at random. A
// queued tehsil is announced to the workers without delay (LISTEN), and a finished tehsil to the coordinator. The coordinator starts the
// tehsils one after the other, each in `startSeconds`. Nothing fails. Network and disk are as fast for many workers as for one.

/** Parameters of the model. */
export interface FleetModel {
  readonly workers: number;
  readonly tehsils: number;
  /** Mean time of a tehsil, seconds. */
  readonly tehsilSeconds: number;
  /** Measured times, as ratios to their mean. */
  readonly ratios: readonly number[];
  /** Time that the coordinator needs to start one tehsil, seconds. */
  readonly startSeconds: number;
  /** Time of a claim, seconds. */
  readonly claimSeconds: number;
}

/** Outcome of the model. */
export interface FleetOutcome {
  readonly seconds: number;
  readonly tehsilsPerHour: number;
  /** Share of the total worker time in which workers computed nothing, until the last tehsil ended. */
  readonly idleShare: number;
  /**
   * The idle share until the coordinator started the last tehsil. So this share leaves out the end of the run, when
   * some workers are always idle.
   */
  readonly idleShareBeforeEnd: number;
}

/**
 * Minimum number of queued tehsils, and number of running tehsils for each queued tehsil. The coordinator of the service uses the
 * same values.
 */
const [AHEAD, RUNNING_PER_WAITING] = [4, 4];

/** Sequence of numbers from 0 to 1 with a fixed seed (a linear congruential generator). */
function seeded(): () => number {
  let state = 23;
  return () => (state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32) / 2 ** 32;
}

/** Simulates one run. */
export function simulate(model: FleetModel): FleetOutcome {
  const { workers, tehsils, tehsilSeconds, ratios, startSeconds, claimSeconds } = model;
  const chance = seeded();
  const timeOf = (): number => tehsilSeconds * (ratios[Math.floor(chance() * ratios.length)] ?? 1);
  /** Times at which running tehsils end, ascending. */
  const ends: number[] = [];
  let [now, started, waiting, idle, busy, coordinatorAt, drainedAt] = [0, 0, 0, workers, 0, 0, 0];
  const insert = (at: number): void => {
    const index = ends.findIndex((end) => end > at);
    ends.splice(index < 0 ? ends.length : index, 0, at);
  };
  for (;;) {
    // Idle workers claim queued tehsils.
    for (; idle > 0 && waiting > 0; waiting -= 1, idle -= 1) {
      const seconds = timeOf();
      busy += seconds;
      insert(now + claimSeconds + seconds);
    }
    const room = Math.max(AHEAD, Math.ceil(ends.length / RUNNING_PER_WAITING)) - waiting;
    const next = ends[0];
    if (room > 0 && started < tehsils) {
      const at = Math.max(now, coordinatorAt) + startSeconds;
      if (next === undefined || at <= next) {
        [now, coordinatorAt] = [at, at];
        started += 1;
        waiting += 1;
        if (started === tehsils) drainedAt = now;
        continue;
      }
    }
    if (next === undefined) break;
    ends.shift();
    now = next;
    idle += 1;
  }
  const idleUntil = (seconds: number, work: number): number => Math.max(0, 1 - work / (workers * seconds));
  return {
    seconds: now,
    tehsilsPerHour: (3600 * tehsils) / now,
    idleShare: idleUntil(now, busy),
    // At that time some tehsils were still running. On average, half of the work for these tehsils was done.
    idleShareBeforeEnd: idleUntil(drainedAt, Math.min(busy, busy - (Math.min(workers, tehsils) * tehsilSeconds) / 2)),
  };
}
