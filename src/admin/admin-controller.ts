import { applyDecorators, Controller, UseGuards } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiBearerAuth,
  ApiTags,
  ApiTooManyRequestsResponse,
  ApiUnauthorizedResponse,
} from '@nestjs/swagger';
import { ErrorBody } from '../http/error-body.js';
import { AdminTokenGuard } from './admin-token.guard.js';

/** A controller below `/admin/v1`, for requests with the admin token. */
export const AdminController = (path: string) =>
  applyDecorators(
    Controller(`admin/v1/${path}`),
    UseGuards(AdminTokenGuard),
    ApiTags('Admin'),
    ApiBearerAuth(),
    ApiBadRequestResponse({ type: ErrorBody }),
    ApiUnauthorizedResponse({ type: ErrorBody, description: 'The admin token is missing or wrong.' }),
    ApiTooManyRequestsResponse({ type: ErrorBody, description: 'Too many wrong tokens from this address.' }),
  );
