/** On what it rests that the identity of a binding agreed: what commands print of it. */
import { type BindingResting, identityOfLink } from '@signet/sdk';
import type { ChainVerification, CheckedLink, ExportedBinding } from '@signet/verify';
import type { Column } from './printer.js';

type Word = BindingResting['identity'];

/** A column that says it; empty where nothing is bound. */
export function restingColumn<Row>(wordOf: (row: Row) => Word | undefined): Column<Row> {
  return { title: 'RESTS ON', text: (row) => wordOf(row) ?? '' };
}

/** Of a link that binds, where its checks did not fail. */
export function wordOfLink(checked: CheckedLink): Word | undefined {
  return checked.link.action === 'create' && checked.ok ? identityOfLink(checked) : undefined;
}

/** Of a binding in a file, by the link that made it. */
export function wordInChain(
  { bindings, links }: ChainVerification,
  { platform, identity, created_at }: ExportedBinding,
): Word | undefined {
  const made = bindings.find(
    (link) => link.platform === platform && link.identity === identity && link.created_at === created_at,
  );
  const checked = links.find(({ link }) => link === made);
  return checked && wordOfLink(checked);
}
