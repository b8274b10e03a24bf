/** Names of the resources. Separate from the schemas, so that the resolver does not load the schema library. */

/** The resources that a nomination refers to. */
export const referencedResources = ['ceremonies', 'categories', 'movies', 'nominees', 'songs'] as const;
export type ReferencedResource = (typeof referencedResources)[number];

export const resourceNames = ['nominations', ...referencedResources] as const;
export type ResourceName = (typeof resourceNames)[number];

/** All resources except categories, which are read-only. */
export type WritableResource = Exclude<ResourceName, 'categories'>;
export const isWritable = (resource: ResourceName): resource is WritableResource => resource !== 'categories';
export const writableResources: readonly WritableResource[] = resourceNames.filter(isWritable);
