/** The OpenAPI 3.1 description of the service, made from the same tables as the service itself. */
import { exampleComponents, examplesOfProblem } from './examples.ts';
import { headerComponents } from './headers.ts';
import type { JsonObject } from './model.ts';
import { paths } from './operations.ts';
import { parameterComponents } from './parameters.ts';
import { problemComponents } from './problems.ts';
import { description, tags } from './prose.ts';
import { schemaComponents } from './schemas.ts';

/** The whole document. */
export function openapiDocument(): JsonObject {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Film Awards',
      version: '1.0.0',
      summary: 'A century of film awards',
      description,
      // No licence is granted so far, which SPDX calls NONE.
      license: { name: 'No licence granted', identifier: 'NONE' },
    },
    servers: [{ url: '/', description: 'Where this description comes from.' }],
    security: [],
    tags,
    paths: paths(),
    components: {
      schemas: schemaComponents(),
      responses: problemComponents(examplesOfProblem),
      parameters: parameterComponents(),
      headers: headerComponents,
      examples: exampleComponents(),
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'x-api-key',
          description: 'A key for writing; `awards keys create NAME` makes one.',
        },
      },
    },
  };
}

/** The same as text: what the address answers. */
export const openapiText = (): string => `${JSON.stringify(openapiDocument())}\n`;
