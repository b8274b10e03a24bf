/** The parts of an OpenAPI 3.1 document that are made here, as the specification names them. */

export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [member: string]: Json;
}

export interface Reference extends JsonObject {
  readonly $ref: string;
}

/** What the document holds once and refers to from many places. */
export type ComponentKind = 'schemas' | 'parameters' | 'headers' | 'responses' | 'examples';

export const referenceTo = (kind: ComponentKind, name: string): Reference => ({
  $ref: `#/components/${kind}/${name}`,
});

/** Name → reference to the component of that name. */
export function referencesTo(kind: ComponentKind, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, referenceTo(kind, name)]));
}
