/** The two headers by which a CDN tells the write service whom a request it hands through comes from. */

/** Carries the secret that both sides know; without it the service does not believe the other header. */
export const secretHeader = 'x-awards-proxy-secret';
/** Carries the address of the client, for counting. */
export const clientHeader = 'x-awards-client';
