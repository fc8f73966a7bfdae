import { applyDecorators, Controller, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiParam, ApiTags } from '@nestjs/swagger';
import { Refusals } from '../http/error-body.js';
import { AllServedAs } from '../http/server/served-as.js';
import { AdminTokenGuard } from './admin-token.guard.js';

/** A controller below `/admin/v1`, for requests with the admin token. */
export const AdminController = (path: string) =>
  applyDecorators(
    Controller(`admin/v1/${path}`),
    AllServedAs('admin'),
    UseGuards(AdminTokenGuard),
    ApiTags('Admin'),
    ApiBearerAuth(),
    Refusals({ 401: 'The admin token is missing or wrong.', 429: 'Too many wrong tokens from this address.' }),
  );

export const ID_EXAMPLE = '3e2a8f0c-5d4b-4a7e-9c11-6f1d2b3a4c5d';

/**
 * Describes `:id` of a path, the UUID of a subscription, delivery or dead letter. The schema has no format `uuid`,
 * because other words may stand in its place (`dead-letters/replay`). An id that is unknown or no UUID is answered
 * with 404.
 */
export function IdParam(of: string): MethodDecorator {
  const schema = { type: 'string', maxLength: ID_EXAMPLE.length } as const;
  return applyDecorators(
    ApiParam({ name: 'id', description: `Id of the ${of}, as the list shows it.`, schema, example: ID_EXAMPLE }),
    Refusals({ 404: `There is no such ${of}.` }),
  );
}
