/** The two parts of an address: a query string may have further question marks. */
export function splitTarget(target: string): { path: string; queryString: string } {
  const question = `${target}?`.indexOf('?');
  return { path: target.slice(0, question), queryString: target.slice(question + 1) };
}
