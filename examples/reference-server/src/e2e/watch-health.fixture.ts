/** Asks health all the time until it is told to stop. */
export interface HealthWatch {
  /** Ends the watch; the longest time until an answer, ms. Rejects where health answered anything but 200. */
  stop(): Promise<number>;
}

/** Watches the health of a running server. */
export function watchHealth(baseUrl: string): HealthWatch {
  const ended = new AbortController();
  const watched = ask(baseUrl, ended.signal);
  // A failure is told by `stop`; until then it must not count as unhandled.
  watched.catch(() => {});
  return {
    stop() {
      ended.abort();
      return watched;
    },
  };
}

async function ask(baseUrl: string, ended: AbortSignal): Promise<number> {
  let slowestMs = 0;
  while (!ended.aborted) {
    const start = performance.now();
    const { status } = await fetch(`${baseUrl}/api/health`);
    slowestMs = Math.max(slowestMs, performance.now() - start);
    if (status !== 200) throw new Error(`health answered ${status}`);
    await new Promise((settle) => setTimeout(settle, 20));
  }
  return slowestMs;
}
