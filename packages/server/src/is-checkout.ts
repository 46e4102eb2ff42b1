import { existsSync } from 'node:fs';

/** True in the repository, false in an installed package. */
export const isCheckout = (): boolean => existsSync(new URL('../tsconfig.json', import.meta.url));
