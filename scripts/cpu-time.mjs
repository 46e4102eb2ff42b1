// Tests limit processor time instead of elapsed time, because other work hardly changes processor time.

export const cpuTime = async (work) => {
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  return { result, ms: (user + system) / 1000 };
};

const SPIN_MS = 200;

export const crowding = () => {
  const [from, before] = [performance.now(), process.cpuUsage()];
  for (;;) {
    const { user, system } = process.cpuUsage(before);
    const cpuMs = (user + system) / 1000;
    if (cpuMs >= SPIN_MS) return Math.max(1, (performance.now() - from) / cpuMs);
  }
};
