/** The rules of the site for hosts of plain files, in the two files that Netlify and Cloudflare both read. */
import { headerRules, pageAddresses } from '../../../api/contract/site.ts';

/** Path below the root → bytes. */
export function hostRules(): Map<string, Uint8Array> {
  const encoder = new TextEncoder();
  return new Map([
    ['_headers', encoder.encode(headersText())],
    ['_redirects', encoder.encode(redirectsText())],
  ]);
}

function headersText(): string {
  return headerRules
    .map(([pattern, headers]) => {
      const lines = Object.entries(headers).map(([name, value]) => `  ${name}: ${value}\n`);
      return `${pattern}\n${lines.join('')}`;
    })
    .join('\n');
}

/** A page is shown where it is, without leading elsewhere. */
function redirectsText(): string {
  return [...pageAddresses]
    .map(([address, file]) => `${address.replaceAll(/\{(\w+)\}/g, ':$1')} /${file} 200\n`)
    .join('');
}
