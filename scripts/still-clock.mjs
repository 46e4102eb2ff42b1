// A clock for tests of patience.

export const stillClock = () => {
  const pauses = [];
  const tools = {
    now: () => 0,
    random: () => 1,
    sleep: (ms) => Promise.resolve(void pauses.push(ms)),
    timeout: (ms) => AbortSignal.timeout(ms),
  };
  return { pauses, tools };
};
