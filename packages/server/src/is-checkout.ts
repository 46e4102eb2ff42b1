import { existsSync } from 'node:fs';

/** True in the repository, false where the package is installed. */
export const isCheckout = (): boolean => existsSync(new URL('../tsconfig.json', import.meta.url));
