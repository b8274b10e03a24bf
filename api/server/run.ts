/** Runs the service until SIGTERM or SIGINT. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { UserError } from '../../data/user-error.ts';
import type { Service } from './app.ts';

/** Time in which further signals are the same one: from the terminal's group and from npm, which passes it on. */
const repeatedMs = 2000;

/**
 * Listens. @returns the address, such as http://127.0.0.1:3000
 * @param onError receives the errors of the server while it listens, such as too many open files; it goes on
 * @param option the option that sets the port
 * @throws UserError if the port cannot be opened
 */
export function listen(
  server: Server,
  port: number,
  host: string,
  onError: (error: unknown) => void,
  option = '--port',
): Promise<string> {
  const reasons: Partial<Record<string, string>> = {
    EADDRINUSE: `it is in use; choose another with ${option}`,
    EACCES: `this user may not open it; choose one above 1023 with ${option}`,
  };
  return new Promise((resolve, reject) => {
    const refuse = (error: NodeJS.ErrnoException) => {
      const reason = reasons[error.code ?? ''] ?? error.message;
      reject(new UserError(`cannot listen on ${host} port ${port}: ${reason}`, { cause: error }));
    };
    server.once('error', refuse);
    server.listen(port, host, () => {
      server.off('error', refuse).on('error', onError);
      resolve(originOf(server));
    });
  });
}

/** Scheme and host at which a server listens. */
export function originOf(server: Server): string {
  const { address, port, family } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

/**
 * Resolves after SIGTERM or SIGINT, when every open request is finished or the time is up. A later signal, not one that
 * arrives twice, ends the process.
 * @param onStopping called at once, while the server still accepts connections
 */
export function untilStopped({ app, connections }: Service, onStopping: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    let begin: number | undefined;
    const stop = (signal: NodeJS.Signals) => {
      if (begin === undefined) {
        begin = performance.now();
        onStopping();
        connections.end(() => app.close()).then(resolve, reject);
      } else if (performance.now() - begin > repeatedMs) {
        // Without a handler the signal ends the process.
        process.off(signal, stop);
        process.kill(process.pid, signal);
      }
    };
    process.on('SIGTERM', stop);
    process.on('SIGINT', stop);
  });
}
