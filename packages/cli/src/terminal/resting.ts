/** On what it rests that the identity of a binding agreed: what commands print of it. */
import { type BindingResting, identityOfLink } from '@signet/sdk';
import type { ChainVerification, CheckedLink, ExportedBinding } from '@signet/verify';
import type { Column } from './printer.js';

/** The part of it that is shown in a line. */
export type ShownResting = Pick<BindingResting, 'identity' | 'rel'>;

/** A column that says it; empty where nothing is bound. */
export function restingColumn<Row>(restingOf: (row: Row) => ShownResting | undefined): Column<Row> {
  return {
    title: 'RESTS ON',
    text: (row) => {
      const resting = restingOf(row);
      return resting ? restingText(resting) : '';
    },
  };
}

/** As it is printed. A page that names the key alone says less than one that holds the signature. */
export function restingText({ identity, rel }: ShownResting): string {
  return rel === null ? identity : `${identity}: the page names the key alone`;
}

/** Of a link that binds, where its checks did not fail. */
export function restingOfLink(checked: CheckedLink): ShownResting | undefined {
  const { link, ok } = checked;
  if (link.action !== 'create' || !ok) return undefined;
  return { identity: identityOfLink(checked), rel: link.extra?.rel === 'me' ? 'me' : null };
}

/** Of a binding in a file, by the link that made it. */
export function restingInChain(
  { bindings, links }: ChainVerification,
  { platform, identity, created_at }: ExportedBinding,
): ShownResting | undefined {
  const made = bindings.find(
    (link) => link.platform === platform && link.identity === identity && link.created_at === created_at,
  );
  const checked = links.find(({ link }) => link === made);
  return checked && restingOfLink(checked);
}
