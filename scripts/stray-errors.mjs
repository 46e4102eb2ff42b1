// A vitest reporter for errors outside of tests, which the JSON report omits. Writes them to the file that the variable
// STRAY_ERRORS names.
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
