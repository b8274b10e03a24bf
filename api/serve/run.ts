/** Runs the service until it is told to stop. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { UserError } from '../../data/user-error.ts';
import { Connections } from './connections.ts';

/** Milliseconds that open requests get to finish. */
const timeoutMs = 10_000;

/**
 * Listens. @returns the address, such as http://127.0.0.1:3000
 * @throws UserError if the port cannot be had
 */
export function listen(server: Server, port: number, host: string): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reason =
        error.code === 'EADDRINUSE'
          ? 'it is in use; choose another with --port'
          : error.code === 'EACCES'
            ? 'this user may not open it; choose one above 1023 with --port'
            : error.message;
      reject(new UserError(`cannot listen on ${host} port ${port}: ${reason}`, { cause: error }));
    });
    server.listen(port, host, () => {
      const { address, port: actual, family } = server.address() as AddressInfo;
      resolve(`http://${family === 'IPv6' ? `[${address}]` : address}:${actual}`);
    });
  });
}

/** Resolves when SIGTERM or SIGINT came and every open request is finished, or their time is up. */
export function untilStopped(server: Server): Promise<void> {
  const connections = new Connections(server);
  // Node takes a connection for idle, and cuts it, while the last answer is still being sent.
  server.closeIdleConnections = () => {};
  return new Promise((resolve) => {
    const stop = () => {
      process.off('SIGTERM', stop);
      process.off('SIGINT', stop);
      const timer = setTimeout(() => server.closeAllConnections(), timeoutMs);
      server.close(() => {
        clearTimeout(timer);
        resolve();
      });
      connections.end();
    };
    process.on('SIGTERM', stop);
    process.on('SIGINT', stop);
  });
}
