/** What may go wrong between here and the host: what is worth another try, and what is not. */
import { UserError } from '../../data/user-error.ts';

/** It did not work this time; asked again, it may. */
export class TransientError extends Error {
  override readonly name = 'TransientError';
  /** Not before this time (milliseconds since 1970), if the host said so. */
  readonly notBefore: number | undefined;
  /** It was carried out all the same: only the answer makes no sense. */
  readonly carriedOut: boolean;

  constructor(
    message: string,
    options: { notBefore?: number | undefined; carriedOut?: boolean; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.notBefore = options.notBefore;
    this.carriedOut = options.carriedOut ?? false;
  }
}

/** Publishing ended without success for a reason that passes by itself: what is live is still live, try again later. */
export class RetryLaterError extends UserError {}

/** The folder was built again while it was being published. */
export class SnapshotChanged extends Error {
  override readonly name = 'SnapshotChanged';
}
