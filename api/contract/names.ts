/**
 * Names of the resources. Separate from the schemas, so that the resolver does not load the schema library.
 */

/** The resources that a nomination refers to. */
export const referencedResources = ['ceremonies', 'categories', 'movies', 'nominees', 'songs'] as const;
export type ReferencedResource = (typeof referencedResources)[number];

export const resourceNames = ['nominations', ...referencedResources, 'honors'] as const;
export type ResourceName = (typeof resourceNames)[number];

/** The resources whose nominations can be counted. */
export type CountedResource = 'movies' | 'nominees' | 'ceremonies';

/** Companies and countries are of one kind. */
export const nomineeKinds = ['person', 'company'] as const;
export type NomineeKind = (typeof nomineeKinds)[number];

export const honorClasses = ['SciTech', 'Special', 'Competitive'] as const;

/** All resources except categories, which are read-only. */
export type WritableResource = Exclude<ResourceName, 'categories'>;
export const isWritable = (resource: ResourceName): resource is WritableResource => resource !== 'categories';
export const writableResources: readonly WritableResource[] = resourceNames.filter(isWritable);
