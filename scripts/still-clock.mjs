// A clock that does not advance, for tests of retries and timeouts.

export const stillClock = () => {
  const [pauses, timeouts] = [[], []];
  const tools = {
    now: () => 0,
    random: () => 1,
    sleep: (ms) => Promise.resolve(void pauses.push(ms)),
    timeout: (ms) => {
      const controller = new AbortController();
      timeouts.push({ ms, over: () => controller.abort(new DOMException('the time is over', 'TimeoutError')) });
      return controller.signal;
    },
  };
  return { pauses, timeouts, tools };
};
