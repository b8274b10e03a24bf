/** Why something was not done, as the editor's programs pass it on. */

/** `control` is the id of the control at fault. */
export type Fault = { control: string; message: string };

/** An answer that is no success, or what is wrong before anything is sent. The status 0 is no answer. */
export type Refusal = Error & { status: number; faults: readonly Fault[] };

export const refusal = (status: number, detail = `Status ${status}.`, faults: readonly Fault[] = []) =>
  Object.assign(new Error(detail), { status, faults }) satisfies Refusal;
