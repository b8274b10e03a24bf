/** The part of the JSON-LD processor that the tests use. */
declare module 'jsonld' {
  interface Options {
    documentLoader(url: string): Promise<{ documentUrl: string; document: object }>;
  }
  const processor: { expand(document: object, options: Options): Promise<unknown[]> };
  export default processor;
}
