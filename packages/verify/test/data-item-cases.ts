import * as dataItem from '../src/data-item.js';
import { utf8 } from '../src/internal/internal.js';
import type { Case, Vectors } from './cases.js';
import { equal, failsAt } from './expectations.js';

interface ItemRecord {
  id: string;
  item_id: string;
  data: string;
  told: Required<dataItem.ReportedDataItem> & {
    signature: string;
    owner: { key: string };
    tags: dataItem.DataItemTag[];
  };
}

/** Items that another implementation signed, and each part of them changed. */
export function dataItemCases(vectors: Vectors): Case[] {
  const { records } = vectors['data-items.json'] as { records: ItemRecord[] };
  const tagged = records.find(({ id }) => id === 'tags-target-anchor')!;
  const { item_id, data, told } = tagged;
  const verify = (changes: dataItem.ReportedDataItem | null, text = data) =>
    dataItem.verifyDataItem(item_id, utf8(text), changes && { ...told, ...changes });
  const other = records.find(({ id }) => id === 'no-tags')!;
  return [
    ...records.map((record) => ({
      name: `the data item ${record.id} of another implementation verifies`,
      run: async () => {
        const result = await dataItem.verifyDataItem(record.item_id, utf8(record.data), record.told);
        equal(result.complete, true);
      },
    })),
    {
      name: 'a data item does not verify with other data, tags, target or anchor, or another owner',
      run: async () => {
        failsAt(await verify({}, `${data} `), 'data_item');
        failsAt(await verify({ tags: told.tags.slice(1) }), 'data_item');
        failsAt(await verify({ tags: [{ name: 1 }] }), 'data_item');
        failsAt(await verify({ recipient: '' }), 'data_item');
        failsAt(await verify({ anchor: null }), 'data_item');
        failsAt(await verify({ owner: { key: `A${told.owner.key.slice(1)}` } }), 'data_item');
        failsAt(await verify({ owner: null }), 'data_item');
      },
    },
    {
      name: 'a data item whose signature is not told cannot be checked',
      run: async () => {
        for (const changes of [null, { signature: other.told.signature }, { signature: '' }, { signature: 7 }]) {
          const { ok, complete, steps } = await verify(changes);
          equal([ok, complete, steps[0]!.state], [true, false, 'not_checkable']);
        }
      },
    },
  ];
}
