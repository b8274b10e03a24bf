/** Headers of a write that a CDN forwards to the write service. */

/** The shared secret. Without it the service ignores `clientHeader`. */
export const secretHeader = 'x-awards-proxy-secret';
/** The IP address of the client, for the rate limit. */
export const clientHeader = 'x-awards-client';
