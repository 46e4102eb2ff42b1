export function findFaults(
  root: string,
  readEnvironment?: string,
): { readonly faults: readonly string[]; readonly files: number };
