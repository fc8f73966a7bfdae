import { type DynamicModule, Module } from '@nestjs/common';
import { RecordKinds } from '../ledger/record-kind.js';

@Module({})
export class RecordsModule {
  static forRoot(kinds: RecordKinds): DynamicModule {
    const provided = { provide: RecordKinds, useValue: kinds };
    return { module: RecordsModule, global: true, providers: [provided], exports: [RecordKinds] };
  }
}
