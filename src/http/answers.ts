import { applyDecorators, HttpCode, type Type } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces } from '@nestjs/swagger';

/** A success without content: `{}`. */
export class EmptyAnswer {}

/**
 * Describes an operation, whose id is the name of its method, and its success, which has the status 200: a POST that
 * does something with what is there already makes nothing that it could name.
 * @param description of the answer; absent: what is answered is what the summary says
 */
export const Answers = (type: Type, summary: string, description = '') =>
  applyDecorators(HttpCode(200), ApiOperation({ summary }), ApiOkResponse({ type, description }));

/** Describes a success that is no JSON: text of this media type, or bytes where `format` says so. */
export const AnswersText = (mediaType: string, description: string, format?: 'binary') =>
  applyDecorators(
    ApiProduces(mediaType),
    ApiOkResponse({ description, schema: { type: 'string', ...(format && { format }) } }),
  );
