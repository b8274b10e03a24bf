/** Which pages of the pages layer are published. The resolver computes the answers of the others, at the edge. */
import { type LayerIndex, type LayerName, layerNames } from '../../api/contract/layers.ts';
import { resourceNames } from '../../api/contract/names.ts';
import { routes } from '../../api/contract/routes.ts';

/** Which pages are published: all, those of lists and rankings, or none. The host computes the other answers. */
export const pageChoices = ['all', 'lists', 'none'] as const;
export type PageChoice = (typeof pageChoices)[number];

export const layersToPublish = (pages: PageChoice): LayerName[] =>
  layerNames.filter((layer) => pages !== 'none' || layer !== 'pages');

/** Resources with too many records for a list without pages. Their records make nearly all files. */
const large = new Set<string>(
  resourceNames.filter((name) => {
    const route = routes.get(`/api/${name}`);
    return route?.kind === 'list' && route.paginated;
  }),
);

/**
 * What is published of the index of a layer. With "lists" the pages of single films, people, nominations, songs and honors are
 * left out; the records of ceremonies and categories stay.
 */
export function publishedIndex(index: LayerIndex, pages: PageChoice): LayerIndex {
  if (index.layer !== 'pages' || pages !== 'lists') return index;
  const isLeftOut = (path: string) => large.has(/^api\/([^/]+)\/[0-9]+\.json$/.exec(path)?.[1] ?? '');
  return { ...index, files: new Map([...index.files].filter(([path]) => !isLeftOut(path))) };
}
