export function findFaults(root: string): { readonly faults: readonly string[]; readonly files: number };
