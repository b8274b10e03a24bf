/** Runs the command line. */
import { CommanderError } from 'commander';
import { isFullDisk } from '../../data/system/files.ts';
import { UserError } from '../../data/system/messages.ts';
import { nativeModuleFault } from '../../data/system/native-module.ts';
import { coloured, output } from './command.ts';
import { environment } from './environment.ts';
import { exitCodes, program } from './program.ts';

async function main(): Promise<number> {
  try {
    await program().parseAsync();
    return typeof process.exitCode === 'number' ? process.exitCode : exitCodes.done;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
    return report(error);
  }
}

/** Says why a command failed. @returns its exit code */
function report(error: unknown): number {
  process.stderr.write(`${coloured('red', 'awards:', process.stderr)} ${messageOf(error)}\n`);
  if (environment.AWARDS_DEBUG) process.stderr.write(`${(error as Error).stack ?? ''}\n`);
  return exitCodes.failed;
}

function messageOf(error: unknown): string {
  const missing = nativeModuleFault(error) ?? nativeModuleFault((error as Error).cause);
  if (missing !== undefined) return missing;
  if (error instanceof UserError) return error.message;
  const { message, syscall, path } = error as NodeJS.ErrnoException;
  if (isFullDisk(error)) return `there is no space left (${message}); make room, then run the command again`;
  // Inside a folder of the system, such as /proc, the message alone would be that there is no such file.
  if (syscall === 'mkdir') return `the folder ${path} cannot be created (${message})`;
  // The operating system's messages are clear on their own: "EACCES: permission denied, open ...".
  return syscall === undefined ? `something went wrong: ${message ?? error}` : message;
}

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (output.mayBeLost) return;
  // The reader of a pipe, such as "head", may close it early.
  if (error.code === 'EPIPE') process.exit();
  process.exit(report(new UserError(`cannot write the output: ${error.message}`)));
});

// A message that cannot be written is lost; the exit code stays.
process.stderr.on('error', () => {});

// Keeps the process alive while only an unreferenced timer is pending; it would end with its work half done.
const alive = setInterval(() => {}, 2 ** 30);
process.exitCode = await main();
clearInterval(alive);
