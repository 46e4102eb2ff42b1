// A vitest reporter that writes errors outside of tests to the file STRAY_ERRORS, because the JSON report omits them.
import { writeFileSync } from 'node:fs';

export default class StrayErrors {
  onTestRunEnd(_modules, errors) {
    const path = process.env.STRAY_ERRORS;
    if (path === undefined)
      throw new Error('STRAY_ERRORS is not set; set it to the path of the file to write errors to');
    writeFileSync(path, JSON.stringify(errors.map(textOf)));
  }
}

const textOf = ({ stack, message, cause }) =>
  [stack ?? message, ...(cause === undefined ? [] : [`Caused by: ${textOf(cause)}`])].join('\n');
