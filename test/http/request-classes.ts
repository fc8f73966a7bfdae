import { readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Type } from '@nestjs/common';
import { ROUTE_ARGS_METADATA, RouteParamtypes } from '@nestjs/common/internal';

const SRC = fileURLToPath(new URL('../../src/', import.meta.url));

/** The class of a body or query of some route. */
export interface RequestClass {
  dto: Type<object>;
  type: 'body' | 'query';
}

/** The classes of all bodies and queries: those of the parameters of all controllers, whatever the settings are. */
export async function requestClasses(): Promise<RequestClass[]> {
  const found = new Map<Type<object>, RequestClass>();
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((name) => name.endsWith('.controller.ts'))) {
    const exported = Object.values((await import(path.join(SRC, file))) as object);
    for (const one of exported.filter((value) => typeof value === 'function').flatMap(ofController)) {
      found.set(one.dto, one);
    }
  }
  return [...found.values()];
}

function ofController(controller: object): RequestClass[] {
  const { prototype } = controller as Type<object>;
  return Object.getOwnPropertyNames(prototype).flatMap((method) => {
    const types = (Reflect.getMetadata('design:paramtypes', prototype as object, method) ?? []) as Type<object>[];
    const parameters = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, method) ?? {}) as object;
    return Object.keys(parameters).flatMap((key): RequestClass[] => {
      const [kind, index] = key.split(':').map(Number);
      if (kind === RouteParamtypes.BODY) return [{ dto: types[index!]!, type: 'body' }];
      if (kind === RouteParamtypes.QUERY) return [{ dto: types[index!]!, type: 'query' }];
      return [];
    });
  });
}
