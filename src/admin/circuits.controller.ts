import { Body, Get, Post } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { NotFoundError } from '../domain/domain-errors.js';
import { unixSecondsText } from '../domain/unix-time.js';
import { Refusals } from '../http/error-body.js';
import { Answers, EmptyAnswer } from '../http/operation.js';
import { RequiredText } from '../http/validation/fields.js';
import { type CircuitState, WebClient } from '../outbound/web-client.js';
import { AdminController } from './admin-controller.js';

const STATES: CircuitState['state'][] = ['closed', 'open', 'half_open'];

class CircuitDto {
  @ApiProperty({
    description: '`<platform>@<host>`; webhooks have the platform `webhook`.',
    example: 'github@api.github.com',
  })
  key: string;

  @ApiProperty({
    description:
      '`closed`: the host is asked; `open`: it is left alone; `half_open`: one request is let through as a trial.',
    enum: STATES,
    enumName: 'CircuitState',
  })
  state: CircuitState['state'];

  @ApiProperty({ description: 'Failures since the last success.' })
  failures: number;

  @ApiProperty({
    description: 'UNIX seconds at which a request is let through as a trial; `""` unless open.',
    example: '',
  })
  open_until: string;
}

class CircuitListDto {
  @ApiProperty({ type: [CircuitDto], description: 'Hosts that this server has asked.' })
  circuits: CircuitDto[];
}

class CircuitResetDto {
  @ApiProperty({ description: 'Key of the circuit.', example: 'github@api.github.com' })
  @RequiredText()
  key: string;
}

/** The circuits of this server; others have their own. */
@AdminController('circuits')
export class CircuitsController {
  constructor(private readonly web: WebClient) {}

  @Get()
  @Answers(CircuitListDto, 'Which hosts this server asks, and which it leaves alone for a while')
  listCircuits(): CircuitListDto {
    return { circuits: this.web.circuits().map(toCircuit) };
  }

  @Post('reset')
  @Answers(EmptyAnswer, 'Close a circuit of this server and forget the failures of the host', 'It is closed.')
  @Refusals({ 404: 'There is no such circuit.' })
  resetCircuit(@Body() { key }: CircuitResetDto): EmptyAnswer {
    if (this.web.resetCircuit(key)) return {};
    throw new NotFoundError('There is no circuit with this key on this server.', 'circuit_not_found');
  }
}

function toCircuit({ key, state, failures, openUntil }: CircuitState): CircuitDto {
  return { key, state, failures, open_until: openUntil ? unixSecondsText(openUntil) : '' };
}
