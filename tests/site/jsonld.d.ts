/** The part of the JSON-LD processor that the tests use. */
declare module 'jsonld' {
  interface Options {
    documentLoader(url: string): Promise<{ documentUrl: string; document: object }>;
  }
  type Thing = Readonly<Record<string, readonly unknown[]>>;
  const processor: { expand(document: object, options: Options): Promise<Thing[]> };
  export default processor;
}
