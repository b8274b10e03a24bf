/**
 * The types of typebox that the declarations of the client name, so that the client needs no other package.
 */

export interface TSchema {
  /** What a value of the schema is. Schemas exist as types only: the client exports none. */
  readonly value: unknown;
}
interface Of<T> extends TSchema {
  readonly value: T;
}
type Properties = Readonly<Record<string, TSchema>>;
type Optional<P> = { [K in keyof P]: P[K] extends { readonly isOptional: true } ? K : never }[keyof P];
type Flat<T> = { [K in keyof T]: T[K] };

/** The type of the values of a schema. */
export type Static<T extends TSchema> = T['value'];

export type TInteger = Of<number>;
export type TString = Of<string>;
export type TBoolean = Of<boolean>;
export type TNull = Of<null>;
export type TUnsafe<T> = Of<T>;
export type TArray<T extends TSchema> = Of<Static<T>[]>;
export type TEnum<T extends readonly unknown[]> = Of<T[number]>;
export type TUnion<T extends readonly TSchema[]> = Of<Static<T[number]>>;
export interface TOptional<T extends TSchema> extends Of<Static<T>> {
  readonly isOptional: true;
}
export type TObject<P extends Properties = Properties> = Of<
  Flat<
    { -readonly [K in Exclude<keyof P, Optional<P>>]: Static<P[K]> } & {
      -readonly [K in Optional<P>]?: Static<P[K]>;
    }
  >
>;
