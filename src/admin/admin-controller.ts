import { applyDecorators, Controller, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiTags } from '@nestjs/swagger';
import { Refusals } from '../http/error-body.js';
import { AdminTokenGuard } from './admin-token.guard.js';

/** A controller below `/admin/v1`, for requests with the admin token. */
export const AdminController = (path: string) =>
  applyDecorators(
    Controller(`admin/v1/${path}`),
    UseGuards(AdminTokenGuard),
    ApiTags('Admin'),
    ApiBearerAuth(),
    Refusals({ 401: 'The admin token is missing or wrong.', 429: 'Too many wrong tokens from this address.' }),
  );
