/** The OpenAPI 3.1 document of the service, generated from the tables of the contract. */
import { isWritable, resourceNames } from '../../api/contract/names.ts';
import { type ProblemCode, problems, problemTypePrefix } from '../../api/contract/problems.ts';
import type { JsonObject } from '../../api/contract/value-schemas.ts';
import { exampleComponents } from './examples.ts';
import { guides, introduction } from './guides.ts';
import { filePaths } from './files.ts';
import { paths } from './operations.ts';
import { parameterComponents } from './parameters.ts';
import { headerComponents, responseComponents } from './responses.ts';
import { pascalCase, resourceTexts, schemaComponents, tagTexts } from './schemas.ts';

const problemTable = `

| type | status | meaning |
| --- | --- | --- |
${(Object.keys(problems) as ProblemCode[])
  .map((code) => `| \`${problemTypePrefix}${code}\` | ${problems[code].status} | ${problems[code].title} |`)
  .join('\n')}`;

/** CommonMark. */
const description = [
  introduction,
  ...guides.map(({ id, title, text }) => `## ${title}\n\n${text}${id === 'errors' ? problemTable : ''}`),
].join('\n\n');

const tags: readonly JsonObject[] = [
  ...resourceNames.map((resource) => ({
    name: pascalCase(resource),
    description: `${resourceTexts[resource].about} ${isWritable(resource) ? 'Editors add and change them.' : 'They are read-only.'}`,
  })),
  ...Object.entries(tagTexts).map(([name, text]) => ({ name, description: text })),
];

export function openapiDocument(): JsonObject {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Film Awards',
      version: '1.0.0',
      summary: 'A century of film awards',
      description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'The host of this document.' }],
    security: [],
    tags,
    paths: { ...paths(), ...filePaths },
    components: {
      schemas: schemaComponents(),
      responses: responseComponents(),
      parameters: parameterComponents(),
      headers: headerComponents,
      examples: exampleComponents(),
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'x-api-key',
          description: 'An API key for writes and receipts. `awards keys create NAME` makes one.',
        },
      },
    },
  };
}

/** The bytes of the document, as text. */
export const openapiText = (): string => `${JSON.stringify(openapiDocument())}\n`;
