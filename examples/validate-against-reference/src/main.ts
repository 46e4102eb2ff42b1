import { isDomainError } from '@headwater/core/errors';
import { readOptions, USAGE } from './options.ts';
import { validate } from './validate.ts';

const args = process.argv.slice(2);
if (args.includes('--help')) process.stdout.write(`${USAGE}\n`);
else {
  try {
    const { remarks, report, result } = await validate(readOptions(args), process.stderr);
    for (const { text } of remarks) process.stdout.write(`- ${text}\n`);
    process.stdout.write(`\nreport: ${report}\nresult: ${result}\n`);
  } catch (error) {
    // Errors that the user can fix are printed without their stack.
    const text = isDomainError(error)
      ? error.message
      : error instanceof Error
        ? (error.stack ?? error.message)
        : String(error);
    process.stderr.write(`\nvalidate: ${text}\n`);
    process.exitCode = isDomainError(error) && error.code === 'validation' ? 2 : 1;
  }
}
