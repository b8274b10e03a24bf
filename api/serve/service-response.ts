/** The response of the service: decides late whether it is the last on its connection, and counts the bytes of its body. */
import { type IncomingMessage, ServerResponse } from 'node:http';

export class ServiceResponse<
  Request extends IncomingMessage = IncomingMessage,
> extends ServerResponse<Request> {
  /** Bytes of the body that were sent, 0 for HEAD. */
  bodyBytes = 0;
  /** Whether the connection closes after this response. Asked when the headers are sent; undefined for no. */
  isLast: (() => boolean) | undefined = undefined;

  override writeHead(...head: unknown[]): this {
    if (this.isLast?.()) this.shouldKeepAlive = false;
    return super.writeHead(...(head as [number]));
  }

  override write(...[chunk, ...rest]: unknown[]): boolean {
    this.#count(chunk);
    return super.write(chunk, ...(rest as [() => void]));
  }

  override end(...[chunk, ...rest]: unknown[]): this {
    this.#count(chunk);
    return super.end(chunk, ...(rest as [() => void]));
  }

  #count(chunk: unknown): void {
    if (this.req.method === 'HEAD') return;
    if (chunk instanceof Uint8Array) this.bodyBytes += chunk.length;
    else if (typeof chunk === 'string') this.bodyBytes += Buffer.byteLength(chunk);
  }
}
