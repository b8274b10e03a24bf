/**
 * A resource as a Parquet file, with the columns of its CSV. Their types follow from the schemas of the
 * resources, so that a column keeps its type where it has no value.
 *
 * The bytes depend on the records and the package alone. Its Snappy is JavaScript; zlib could give other
 * bytes in another Node.
 */
import { parquetWriteBuffer, type SchemaElement } from 'hyparquet-writer';
import type { TSchema } from 'typebox';
import { detailSchemas, isNullable, presentSchema } from '../../api/contract/bodies.ts';
import type { ResourceName } from '../../api/contract/names.ts';
import { downloadSchemas, resourceSchemas, type Source } from '../../api/contract/resources.ts';
import { licenceOf } from '../../api/contract/sources.ts';

/** More rows than a resource has: readers take a file of this size as one group. */
const rowGroupSize = 100_000;
const dayMs = 24 * 60 * 60 * 1000;

/** What has a type in the file. */
interface Typed {
  /** The elements of the schema of the file: the own one first, then those within. */
  elements: SchemaElement[];
  /** A value as the package takes it. */
  written(value: unknown): unknown;
}

/**
 * Format or JSON type → type in the file. All integers are INT64: ids can have 53 bits, and joins need equal
 * types.
 */
const kinds: Readonly<Record<string, { type: Omit<SchemaElement, 'name'>; written: Typed['written'] }>> = {
  integer: { type: { type: 'INT64' }, written: (value) => BigInt(value as number) },
  boolean: { type: { type: 'BOOLEAN' }, written: (value) => value },
  string: { type: { type: 'BYTE_ARRAY', converted_type: 'UTF8' }, written: (value) => value },
  date: {
    type: { type: 'INT32', converted_type: 'DATE' },
    written: (value) => Date.parse(value as string) / dayMs,
  },
};

function typed(name: string, schema: TSchema): Typed {
  const present: { type?: string; format?: string; items?: TSchema } = presentSchema(schema);
  const repetition_type = isNullable(schema) ? 'OPTIONAL' : 'REQUIRED';
  if (present.items) {
    const item = typed('element', present.items);
    const list: SchemaElement = { name, converted_type: 'LIST', repetition_type, num_children: 1 };
    return {
      elements: [list, { name: 'list', repetition_type: 'REPEATED', num_children: 1 }, ...item.elements],
      written: (values) => (values as unknown[]).map(item.written),
    };
  }
  // The schema of a choice of texts has no type.
  const { type, written } = kinds[present.format ?? present.type ?? 'string']!;
  return { elements: [{ name, ...type, repetition_type }], written };
}

/**
 * @param records as the service shows them, but the members of the details of a nomination are its own
 * @param sources of the records: they stand in the metadata, under the key "sources"
 */
export function parquetFile(
  resource: ResourceName,
  records: readonly Readonly<Record<string, unknown>>[],
  sources: readonly Source[],
): Buffer {
  const schemas = Object.entries<TSchema>({
    ...resourceSchemas[resource].properties,
    ...(resource === 'nominations' && detailSchemas),
    ...downloadSchemas[resource],
  });
  const columns = schemas.map(([name, schema]) => ({ name, ...typed(name, schema) }));
  const columnData = columns.map(({ name, written }) => ({
    name,
    data: records.map(({ [name]: value }) => (value === null ? null : written(value))),
  }));
  const root = { name: 'root', num_children: columns.length };
  const kvMetadata = [
    { key: 'sources', value: JSON.stringify(sources) },
    { key: 'licence', value: licenceOf(sources) },
  ];
  const schema = [root, ...columns.flatMap(({ elements }) => elements)];
  return Buffer.from(parquetWriteBuffer({ schema, columnData, rowGroupSize, kvMetadata }));
}
