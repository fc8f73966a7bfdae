import { ApiParam } from '@nestjs/swagger';

export const ID_EXAMPLE = '3e2a8f0c-5d4b-4a7e-9c11-6f1d2b3a4c5d';

/** Describes `:id` of a path: of a subscription, delivery or dead letter. What is no UUID is not found. */
export function IdParam(of: string): MethodDecorator {
  const schema = { type: 'string', format: 'uuid' } as const;
  return ApiParam({ name: 'id', description: `Id of the ${of}, as the list shows it.`, schema, example: ID_EXAMPLE });
}
