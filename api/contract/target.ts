/** The two parts of an address, as sent. */
export interface Target {
  path: string;
  /** Without the leading `?`; empty for none. */
  queryString: string;
}

/** A query string may have further question marks. */
export function splitTarget(target: string): Target {
  const question = `${target}?`.indexOf('?');
  return { path: target.slice(0, question), queryString: target.slice(question + 1) };
}
