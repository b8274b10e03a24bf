// A static site from the shards: a page for each ceremony with its winners. The host may be one of plain files: nothing
// computes there. Arguments: the address of a host with a snapshot, and the folder for the pages.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient, fetchSource, snapshotFetch } from 'film-awards/client';

const [origin, folder] = process.argv.slice(2);
// The resolver of the service, in this process: it reads the manifest and the shards that an answer needs.
const awards = createClient({ fetch: snapshotFetch(fetchSource(new URL('/', origin).href)) });

const escaped = (text) => text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
const page = (title, body) =>
  `<!doctype html><meta charset="utf-8"><title>${escaped(title)}</title><h1>${escaped(title)}</h1>${body}\n`;

mkdirSync(folder, { recursive: true });
const { data: ceremonies } = await awards.get('/api/ceremonies');
for (const { id, ceremony_year: year } of ceremonies) {
  const rows = [];
  for await (const { category, movie, nominee } of awards.all('/api/nominations', {
    ceremony_ids: [id],
    winner: true,
  }))
    rows.push(`<tr><td>${escaped(category)}<td>${escaped(nominee)}<td>${escaped(movie)}`);
  writeFileSync(join(folder, `${id}.html`), page(`Awards of ${year}`, `<table>${rows.join('\n')}</table>`));
}
const links = ceremonies.map(({ id, ceremony_year: year }) => `<li><a href="${id}.html">${year}</a>`);
writeFileSync(join(folder, 'index.html'), page('Film awards', `<ul>${links.join('\n')}</ul>`));
console.log(`${ceremonies.length + 1} pages in ${folder}`);
