import { Body, Get, Post } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { NotFoundError } from '../domain/domain-errors.js';
import { Refusals } from '../http/error-body.js';
import { Answers, EmptyAnswer } from '../http/answers.js';
import { RequiredText } from '../http/validation/fields.js';
import { CircuitDto } from '../outbound/pacing/circuit.dto.js';
import { WebClient } from '../outbound/web-client.js';
import { AdminController } from './admin-controller.js';

class CircuitListDto {
  @ApiProperty({ type: [CircuitDto], description: 'Hosts that this server has asked.' })
  circuits: CircuitDto[];
}

class CircuitResetDto {
  @RequiredText({ description: 'Key of the circuit.', example: 'github@api.github.com' })
  key: string;
}

/** The circuits of this server; others have their own. */
@AdminController('circuits')
export class CircuitsController {
  constructor(private readonly web: WebClient) {}

  @Get()
  @Answers(CircuitListDto, 'Which hosts this server asks, and which it leaves alone for a while')
  listCircuits(): CircuitListDto {
    return { circuits: this.web.circuits() };
  }

  @Post('reset')
  @Answers(EmptyAnswer, 'Close a circuit of this server and forget the failures of the host', 'It is closed.')
  @Refusals({ 404: 'There is no such circuit.' })
  resetCircuit(@Body() { key }: CircuitResetDto): EmptyAnswer {
    if (this.web.resetCircuit(key)) return {};
    throw new NotFoundError('There is no circuit with this key on this server.', 'circuit_not_found');
  }
}
