import type { InstallationStore } from '../ports/installation.ts';

/** What is kept, in memory. */
export function memoryKeep(): InstallationStore['keep'] {
  const kept = new Map<string, string>();
  return async (name, proposed) => {
    const value = kept.get(name) ?? proposed;
    kept.set(name, value);
    return value;
  };
}
