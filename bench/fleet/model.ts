// Discrete-event model of a run over many tehsils. It assumes no failures, and no limits of network or disk.

/** Parameters of the model. */
export interface FleetModel {
  readonly workers: number;
  readonly tehsils: number;
  readonly tehsilSeconds: number;
  /** Measured times of tehsils, divided by their mean. */
  readonly ratios: readonly number[];
  /** Time in which the coordinator starts one tehsil, s. */
  readonly startSeconds: number;
  readonly claimSeconds: number;
}

/** Outcome of the model. */
export interface FleetOutcome {
  readonly seconds: number;
  readonly tehsilsPerHour: number;
  /** Share of the workers' time that was idle, from the start of the run to the end of the last tehsil, 0-1. */
  readonly idleShare: number;
  /** Like `idleShare`, but only until the coordinator started the last tehsil. */
  readonly idleShareBeforeEnd: number;
}

/**
 * The coordinator keeps up to `AHEAD` tehsils in the queue, as the service does. If many tehsils run, it keeps
 * one queued tehsil for every `RUNNING_PER_WAITING` running tehsils.
 */
const [AHEAD, RUNNING_PER_WAITING] = [4, 4];

function seeded(): () => number {
  let state = 23;
  return () => (state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32) / 2 ** 32;
}

/** Simulates one run. */
export function simulate(model: FleetModel): FleetOutcome {
  const { workers, tehsils, tehsilSeconds, ratios, startSeconds, claimSeconds } = model;
  const chance = seeded();
  const timeOf = (): number => tehsilSeconds * (ratios[Math.floor(chance() * ratios.length)] ?? 1);
  const ends: number[] = [];
  let [now, started, waiting, idle, busy, coordinatorAt, drainedAt] = [0, 0, 0, workers, 0, 0, 0];
  const insert = (at: number): void => {
    const index = ends.findIndex((end) => end > at);
    ends.splice(index < 0 ? ends.length : index, 0, at);
  };
  for (;;) {
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
    // Subtracts the work after the start of the last tehsil. On average, this is half of the work for each running
    // tehsil.
    idleShareBeforeEnd: idleUntil(drainedAt, Math.min(busy, busy - (Math.min(workers, tehsils) * tehsilSeconds) / 2)),
  };
}
