/** What is told about methods: the answer to OPTIONS and the list in Allow, made once for every route. */
import { methodsOf, type Route, readMethods, routes } from '../contract/routes.ts';
import type { Answer } from './answer.ts';

/** For each route the value of Allow, and the answer to a CORS preflight. */
export type Methods = ReadonlyMap<Route, { allow: string; preflight: Answer }>;

function tellOf(methods: (route: Route) => readonly string[]): Methods {
  return new Map(
    [...routes.values()].map((route) => {
      const allow = methods(route).join(', ');
      return [route, { allow, preflight: preflight(allow) }];
    }),
  );
}

/** @param allow the methods, as in Allow */
export function preflight(allow: string): Answer {
  const headers = {
    Allow: allow,
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Allow-Methods': allow,
    'Access-Control-Allow-Headers': 'Content-Type, If-Match, If-None-Match, x-api-key',
    'Access-Control-Max-Age': '86400',
  };
  return { status: 204, headers, body: null };
}

/** Where a service behind the same addresses takes writes. */
export const methodsToReadAndWrite = tellOf(methodsOf);
/** Where nothing can be written. */
export const methodsToRead = tellOf(() => readMethods);
