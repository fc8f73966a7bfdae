import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type GaugeSource, Measured, type Readings } from '../../measures/measured.js';

const GAUGES = {
  signet_table_rows: ['Rows as PostgreSQL estimates them', 'table'],
  signet_table_bytes: ['Bytes of a table with its indexes', 'table'],
} as const;

const TABLES = [
  'chain_link',
  'proof',
  'proof_check',
  'kv_patch',
  'kv_entry',
  'domain_event',
  'webhook_delivery',
  'log_leaf',
  'map_tile',
];

const SIZES = `
  select relname as table, greatest(reltuples, 0)::float8 as rows, pg_total_relation_size(oid) as bytes
  from pg_class where oid = any($1::regclass[])`;

/** Sizes of the tables that grow with the records of a deployment. */
@Injectable()
@Measured()
export class TableGauges implements GaugeSource<typeof GAUGES> {
  readonly gauges = GAUGES;

  constructor(private readonly dataSource: DataSource) {}

  async readGauges(): Promise<Readings<typeof GAUGES>> {
    const sizes = await this.dataSource.query<{ table: string; rows: number; bytes: number }[]>(SIZES, [TABLES]);
    return {
      signet_table_rows: sizes.map(({ table, rows }) => [{ table }, rows]),
      signet_table_bytes: sizes.map(({ table, bytes }) => [{ table }, bytes]),
    };
  }
}
