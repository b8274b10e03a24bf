/** The names of the resources, apart from their schemas so that the resolver need not carry a schema library. */

/** The five collections a nomination refers to; their records are stored whole. */
export const referencedResources = ['ceremonies', 'categories', 'movies', 'nominees', 'songs'] as const;
export type ReferencedResource = (typeof referencedResources)[number];

/** All six collections. */
export const resourceNames = ['nominations', ...referencedResources] as const;
export type ResourceName = (typeof resourceNames)[number];

/** Those that can be written; categories can only be read. */
export type WritableResource = Exclude<ResourceName, 'categories'>;
export const isWritable = (resource: ResourceName): resource is WritableResource => resource !== 'categories';
export const writableResources: readonly WritableResource[] = resourceNames.filter(isWritable);
