export function cachedFolder(parent: string, name: string, create: (draft: string) => void): string;
