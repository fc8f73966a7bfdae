/** Archived documents, and the data items (ANS-104) that carry them. */
import { constants, createPrivateKey, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { archiveDocument, canonicalJson } from '@signet/verify';
import { utf8 } from '@signet/verify/internal';
import { dataItemId, dataItemMessage } from '@signet/verify/internal/signatures';
import { erasedLink } from './erased.mjs';
import { accepted, alice, copyOf, hex, linksOf, refused, without } from './people.mjs';

/**
 * @import { DataItemTag } from '@signet/verify/data-item'
 * @import { ArchivedItem, Expected, Link } from './types.d.ts'
 */

/** @param {string} file */
const read = (file) => JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'));
const jwk = read('../../test/archive/test-wallet.json');
const key = createPrivateKey({ key: jwk, format: 'jwk' });
const owner = new Uint8Array(Buffer.from(jwk.n, 'base64url'));
const NOTHING = new Uint8Array();

/**
 * Signs without salt, so that the script always writes the same. Wallets use 32 bytes, or as many as fit.
 * @param {string} text
 * @param {DataItemTag[]} tags
 * @returns {ArchivedItem}
 */
function itemOf(text, tags) {
  const message = dataItemMessage({ owner, target: NOTHING, anchor: NOTHING, tags }, utf8(text));
  const padding = constants.RSA_PKCS1_PSS_PADDING;
  const signature = new Uint8Array(sign('sha256', message, { key, padding, saltLength: 0 }));
  const told = { signature: base64url(signature), owner: { key: jwk.n }, recipient: '', anchor: '', tags };
  return { id: dataItemId(signature), text, told };
}

/** @param {Uint8Array} bytes */
const base64url = (bytes) => Buffer.from(bytes).toString('base64url');

/** @param {Link[]} links */
function documentsOf(links) {
  /** @type {ArchivedItem[]} */
  const documents = [];
  for (const [index, link] of links.entries()) {
    const before = documents.at(-1);
    const previous = before ? { uuid: links[index - 1].uuid, archive_id: before.id } : null;
    const text = archiveDocument({ ...link, avatar: alice.avatar }, previous);
    const tags = {
      ...{ 'Content-Type': 'application/json', 'App-Name': 'signet', 'App-Version': '1' },
      Avatar: alice.avatar,
      Platform: link.platform,
      Action: link.action,
      UUID: link.uuid,
    };
    documents.push(
      itemOf(
        text,
        Object.entries(tags).map(([name, value]) => ({ name, value })),
      ),
    );
  }
  return documents;
}

/** Chains of archived documents with the answers of a gateway for each. */
export function archive() {
  const links = linksOf(alice, [{}, { platform: 'github', identity: 'alice' }, { action: 'delete' }]);
  const documents = documentsOf(links);
  const POST = ['post'];
  const facts = { avatar: alice.avatar };
  /** @param {string} id @param {object[]} list @param {Expected} expected */
  const vector = (id, list, expected) => ({ id, documents: list, expected });
  /** @param {string} id @param {object[]} list @param {string[]} [open] */
  const good = (id, list, open) => vector(id, list, accepted(facts, open));
  /** @param {string} id @param {object[]} list @param {string[]} reasons @param {string[]} [open] */
  const bad = (id, list, reasons, open = POST) => vector(id, list, refused(reasons, open));
  /**
   * Another text under a new id, as the owner of the wallet could make it.
   * @param {string} id
   * @param {(members: Record<string, unknown>, text: string) => string} change
   * @param {string[]} reasons
   * @param {string[]} [open]
   */
  const rewritten = (id, change, reasons, open = []) => {
    const text = change(JSON.parse(documents[0].text), documents[0].text);
    return bad(id, [itemOf(text, documents[0].told.tags)], reasons, open);
  };
  /**
   * The first document, for which a gateway answers something else.
   * @param {string} id
   * @param {(document: ArchivedItem) => void} change
   * @param {string[]} reasons
   * @param {string[]} [open]
   */
  const served = (id, change, reasons, open = []) => {
    const document = copyOf(documents[0]);
    change(document);
    return vector(id, [document], reasons.length > 0 ? refused(reasons, open) : accepted(facts, open));
  };
  /** @type {(name: string) => (members: Record<string, unknown>) => string} */
  const lacking = (name) => (members) => canonicalJson(without(members, name));
  return {
    description:
      'Chains of archived documents, oldest first: `id` is the archive id, `text` the document, `told` what the gateway tells of the data item (GraphQL), or null.',
    vectors: [
      good('three-documents', documents, POST),
      good('the-first-document', documents.slice(0, 1)),
      good(
        'nothing-told',
        documents.map((document) => ({ ...document, told: null })),
        ['data_item', 'post'],
      ),
      good('erased-before-it-was-archived', documentsOf([links[0], erasedLink(links[1]), links[2]]), ['erased']),
      bad(
        'erased-and-the-place-is-there',
        documentsOf([{ ...erasedLink(links[1]), proof_location: 'x' }]),
        ['shape'],
        [],
      ),
      bad('without-the-first', documents.slice(1), ['prev', 'binding', 'previous_uuid', 'previous_archive_id']),
      bad('without-the-second', [documents[0], documents[2]], ['prev', 'previous_uuid', 'previous_archive_id'], []),
      bad('exchanged', [documents[0], documents[2], documents[1]], ['prev', 'previous_uuid', 'previous_archive_id']),
      bad(
        'first-under-another-id',
        [{ ...documents[0], id: documents[2].id }, documents[1]],
        ['previous_archive_id'],
        ['data_item', 'post'],
      ),
      rewritten('another-action', (members) => canonicalJson({ ...members, action: 'delete' }), [
        'fields',
        'canonical_text',
        'binding',
      ]),
      rewritten('another-predecessor', (members) => canonicalJson({ ...members, previous_uuid: links[1].uuid }), [
        'previous_uuid',
      ]),
      rewritten(
        'another-predecessor-id',
        (members) => canonicalJson({ ...members, previous_archive_id: documents[1].id }),
        ['previous_archive_id'],
      ),
      rewritten('without-proof-location', lacking('proof_location'), ['document']),
      rewritten('without-extra', lacking('extra'), ['document']),
      rewritten('extra-a-list', (members) => canonicalJson({ ...members, extra: [] }), ['document']),
      rewritten('with-another-member', (members) => canonicalJson({ ...members, more: '' }), ['document']),
      rewritten('a-member-that-is-a-number', (members) => canonicalJson({ ...members, created_at: 1 }), ['document']),
      rewritten('not-canonical', (_members, text) => text.replace(',', ', '), ['document']),
      rewritten('not-an-object', () => '[]', ['document']),
      rewritten('empty', () => '', ['document']),
      served(
        'another-text-served',
        (document) => (document.text = document.text.replace('"proof_location":""', '"proof_location":"1"')),
        ['data_item'],
      ),
      served('other-tags-told', (document) => document.told.tags.pop(), ['data_item']),
      served('no-tags-told', (document) => (document.told.tags = []), ['data_item']),
      served('a-tag-changed', (document) => (document.told.tags[0].value = 'text/plain'), ['data_item']),
      served('target-told', (document) => (document.told.recipient = base64url(owner.slice(0, 32))), ['data_item']),
      served('anchor-told', (document) => (document.told.anchor = base64url(owner.slice(0, 32))), ['data_item']),
      served('another-owner-told', (document) => (document.told.owner.key = `A${jwk.n.slice(1)}`), ['data_item']),
      served('no-owner-told', (document) => Object.assign(document.told, { owner: null }), ['data_item']),
      served(
        'another-signature-told',
        (document) => (document.told.signature = documents[1].told.signature),
        [],
        ['data_item'],
      ),
      served('signature-not-told', (document) => (document.told.signature = ''), [], ['data_item']),
    ],
  };
}

/** Data items alone, with the message that is signed. */
export function dataItems() {
  const { records, source } = read('../../test/vectors/data-items.json');
  /** @type {{ id: string, item_id: string, data: string, told: ArchivedItem['told'] }[]} */
  const recorded = records;
  /** @param {string} text */
  const decoded = (text) => new Uint8Array(Buffer.from(text, 'base64url'));
  const own = itemOf('{"zoë":1}', [
    { name: 'Zoë', value: '𝒳' },
    { name: '', value: '' },
  ]);
  const many = itemOf(
    '',
    Array.from({ length: 70 }, (_, n) => ({ name: `name ${n}`, value: 'v'.repeat(n) })),
  );
  const all = [
    ...recorded.map(({ id, item_id, data, told }) => ({ id, item_id, data, told })),
    { id: 'text-outside-ascii', item_id: own.id, data: own.text, told: own.told },
    { id: 'no-data-and-70-tags', item_id: many.id, data: many.text, told: many.told },
  ];
  /** @param {{ data: string, told: ArchivedItem['told'] }} item */
  const messageOf = ({ data, told }) =>
    hex(
      dataItemMessage(
        {
          owner: decoded(told.owner.key),
          target: decoded(told.recipient),
          anchor: decoded(told.anchor),
          tags: told.tags,
        },
        utf8(data),
      ),
    );
  return {
    description: `Data items of permanent storage (ANS-104) as gateways tell of them; \`message\` is the deep hash that is signed, in hex. The first ${records.length} were signed by another implementation (${source}).`,
    vectors: [
      ...all.map((item) => ({ ...item, expected: accepted({ message: messageOf(item) }) })),
      ...all.slice(0, 3).map((item) => ({
        ...item,
        id: `${item.id}-with-other-data`,
        data: `${item.data} `,
        expected: refused(['data_item']),
      })),
    ],
  };
}
