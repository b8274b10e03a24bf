/** The pages of the explorer as the service answers them. The renderer is loaded with the first page. */
import type { IncomingMessage } from 'node:http';
import { defaultOrigin } from '../contract/lists.ts';
import type { Target } from '../contract/target.ts';
import { HtmlPages } from '../hosts/html-pages.ts';
import { nodeDigest } from '../hosts/node-digest.ts';
import type { Answer } from '../read/answer.ts';
import type { Resolver } from '../read/resolve.ts';
import type { PublicFiles } from './public-files.ts';
import type { ServeOptions } from './server.ts';

const cacheBytes = 12 * 1024 * 1024;

export class ServedPages {
  readonly #origin: () => string;
  readonly #make: () => Promise<HtmlPages>;
  #pages: Promise<HtmlPages> | undefined;

  constructor(
    resolver: Resolver,
    files: PublicFiles,
    { origin = () => defaultOrigin, onError }: Pick<ServeOptions, 'origin' | 'onError'>,
  ) {
    this.#origin = origin;
    this.#make = async () => {
      const { renderer: render } = await import('../../build/site/explorer/render.tsx');
      const file = (path: string) => files.bytes(path);
      return new HtmlPages({ resolver, render, file, cacheBytes, onError, digest: nodeDigest });
    };
  }

  /** @param isAllowed whether the client is within its rate limit @returns undefined if there is no site */
  async answer(request: IncomingMessage, target: Target, isAllowed: boolean): Promise<Answer | undefined> {
    this.#pages ??= this.#make();
    const pages = await this.#pages;
    if (!isAllowed) {
      const shell = await pages.shellBytes();
      return shell && pages.shellAnswer(shell, 'too-many-requests', {});
    }
    const { method = 'GET', headers } = request;
    // The headers of HEAD are those of GET.
    const asked = { method: method === 'HEAD' ? 'GET' : method, ...target };
    return pages.answer({ ...asked, ifNoneMatch: headers['if-none-match'] }, this.#origin());
  }
}
