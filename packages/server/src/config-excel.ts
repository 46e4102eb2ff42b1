import { resolve } from 'node:path';
import { ConfigError } from './config-error.ts';

/** Variables of the folder for workbooks. */
export interface ExcelValues {
  readonly EXCEL_DIR?: string | undefined;
  readonly EXCEL_PATH?: string | undefined;
}

/** Two names of one folder: the live system has the one in its installer and the other in its settings. */
export function excelPath({ EXCEL_DIR: dir, EXCEL_PATH: path = dir }: ExcelValues): string | undefined {
  if (path === undefined) return undefined;
  if (dir !== undefined && resolve(dir) !== resolve(path)) {
    throw new ConfigError(
      `EXCEL_DIR: ${dir} and EXCEL_PATH: ${path} are two folders; both name the one for workbooks, so set one of them.`,
    );
  }
  return resolve(path);
}
