export function findFaults(
  root: string,
  mainFile?: string,
): { readonly faults: readonly string[]; readonly files: number };
