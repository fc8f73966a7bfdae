import { applyDecorators, HttpCode, type Type } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces } from '@nestjs/swagger';

/** A success without content: `{}`. */
export class EmptyAnswer {}

/**
 * Describes an operation and its success. The id of the operation is the name of its method. The status is 200 also for
 * a POST: such a POST acts on what exists and creates nothing that could have an address.
 * @param description of the answer; without it, the summary describes the answer
 */
export const Answers = (type: Type, summary: string, description = '') =>
  applyDecorators(HttpCode(200), ApiOperation({ summary }), ApiOkResponse({ type, description }));

/** Describes a success that is no JSON: text of this media type, or bytes where `format` says so. */
export const AnswersText = (mediaType: string, description: string, format?: 'binary') =>
  applyDecorators(
    ApiProduces(mediaType),
    ApiOkResponse({ description, schema: { type: 'string', ...(format && { format }) } }),
  );
