// A reporter of vitest: writes the errors that belong to no test, which its JSON leaves out, to the file that STRAY_ERRORS names.
import { writeFileSync } from 'node:fs';

export default class StrayErrors {
  onTestRunEnd(_modules, errors) {
    const path = process.env.STRAY_ERRORS;
    if (path === undefined) throw new Error('STRAY_ERRORS: name the file that the errors go to');
    writeFileSync(path, JSON.stringify(errors.map(told)));
  }
}

const told = ({ stack, message, cause }) =>
  [stack ?? message, ...(cause === undefined ? [] : [`Caused by: ${told(cause)}`])].join('\n');
