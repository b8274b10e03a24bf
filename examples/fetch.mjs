// The API with fetch alone. Argument: the address of a service. Prints the winners of a category, a line each, newest last.
const [origin] = process.argv.slice(2);

/** All records of a list, page by page: the header Link names the next page. */
async function* all(address) {
  for (let next = address; next !== undefined; ) {
    const answer = await fetch(next);
    // Errors are documents of RFC 9457. More than 100 requests a minute are answered with 429 and Retry-After.
    if (!answer.ok) throw new Error((await answer.json()).detail);
    yield* (await answer.json()).data;
    const [, path] = /<([^>]+)>; rel="next"/.exec(answer.headers.get('Link') ?? '') ?? [];
    next = path === undefined ? undefined : new URL(path, origin).href;
  }
}

const address = new URL('/api/nominations?category=actress+in+a+leading+role&winner=true&limit=100', origin)
  .href;
for await (const { ceremony_year: year, nominee, movie } of all(address))
  console.log(year, nominee, '–', movie);

// A second request with the ETag of the first costs no body.
const first = await fetch(address);
await first.arrayBuffer();
const again = await fetch(address, { headers: { 'If-None-Match': first.headers.get('ETag') } });
console.log('asked again:', again.status);
