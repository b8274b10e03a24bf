/** Runs the service until SIGTERM or SIGINT. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { UserError } from '../../data/user-error.ts';

/** Time that open requests have to finish. */
const timeoutMs = 10_000;

/**
 * Listens. @returns the address, such as http://127.0.0.1:3000
 * @throws UserError if the port cannot be opened
 */
export function listen(server: Server, port: number, host: string): Promise<string> {
  const reasons: Partial<Record<string, string>> = {
    EADDRINUSE: 'it is in use; choose another with --port',
    EACCES: 'this user may not open it; choose one above 1023 with --port',
  };
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reason = reasons[error.code ?? ''] ?? error.message;
      reject(new UserError(`cannot listen on ${host} port ${port}: ${reason}`, { cause: error }));
    });
    server.listen(port, host, () => {
      const { address, port: actual, family } = server.address() as AddressInfo;
      resolve(`http://${family === 'IPv6' ? `[${address}]` : address}:${actual}`);
    });
  });
}

/** Resolves after SIGTERM or SIGINT, when every open request is finished or the time is up. */
export function untilStopped(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => {
      process.off('SIGTERM', stop);
      process.off('SIGINT', stop);
      const timer = setTimeout(() => server.closeAllConnections(), timeoutMs);
      server.close(() => {
        clearTimeout(timer);
        resolve();
      });
    };
    process.on('SIGTERM', stop);
    process.on('SIGINT', stop);
  });
}
