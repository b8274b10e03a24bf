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
 * What is published of the index of a layer. With "lists" the groups of single films, people, nominations, songs and honors are
 * left out, and with them their files; the records of ceremonies and categories stay.
 */
export function publishedIndex(index: LayerIndex, pages: PageChoice): LayerIndex {
  if (index.layer !== 'pages' || pages !== 'lists') return index;
  return { ...index, groups: index.groups.filter(([group]) => !large.has(group.split('/')[0]!)) };
}
