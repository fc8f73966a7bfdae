import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiResponse } from '@nestjs/swagger';

/** Every error answer of the service (docs/design/decisions.md 4). */
export class ErrorBody {
  @ApiProperty({
    description: 'One sentence for people: what was seen and what was expected.',
    example: 'identity is empty.',
  })
  message: string;

  @ApiProperty({ description: 'A stable word for programs.', example: 'invalid_request' })
  code: string;
}

/** Describes errors of an operation by status, beyond those that every operation has. */
export const Refusals = (descriptions: Record<number, string>) =>
  applyDecorators(
    ...Object.entries(descriptions).map(([status, description]) =>
      ApiResponse({ status: Number(status), type: ErrorBody, description }),
    ),
  );

/** A KV patch is at most 64 KiB as canonical JSON; escapes can make it six times that on the wire. */
export const MAX_BODY_BYTES = 1024 * 1024;

/** Codes of answers that do not come from the domain, by status. */
const CODES: Record<number, string> = {
  400: 'invalid_request',
  401: 'unauthorized',
  404: 'not_found',
  405: 'method_not_allowed',
  408: 'request_timeout',
  413: 'body_too_large',
  414: 'uri_too_long',
  415: 'invalid_request',
  429: 'too_many_requests',
  431: 'headers_too_large',
  503: 'unavailable',
};

/** The code of an error answer whose status the framework or Node chose. */
export function codeOfStatus(status: number): string {
  return CODES[status] ?? (status < 500 ? 'invalid_request' : 'internal_error');
}

/** The body of a 503 for overload; `why` is a clause such as `its event loop is late`. */
export function overloaded(why: string): ErrorBody {
  return { message: `This server has too much to do: ${why}. Try again shortly.`, code: 'overloaded' };
}
