/** How much anybody may ask for: what the service counts by, and what its documentation says. */

/** Requests to read a minute and client, where nobody set another number. */
export const readsPerMinute = 100;
/** Writes a minute and key, where nobody set another number. */
export const writesPerMinute = 100;
/** Wrong keys a client may send in a minute. */
export const wrongKeysPerMinute = 10;
/** Bytes of the largest body. */
export const maxBodyBytes = 64 * 1024;
/** Receipts in one answer to a list. */
export const receiptsPerPage = 100;
