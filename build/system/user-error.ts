/** Something that cannot be done for a reason a person can act on: shown as one line, without a stack trace. */
export class UserError extends Error {
  override readonly name = 'UserError';
}
