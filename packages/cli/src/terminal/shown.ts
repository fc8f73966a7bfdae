/** Whether the identity of a binding agreed is shown here, or by the server: what commands print of it. */
import { type Shown, shownBy } from '@signet/sdk';
import type { ChainVerification, CheckedLink, ExportedBinding } from '@signet/verify';
import type { Command } from 'commander';
import type { Column } from './printer.js';

/** What the option of `shownOption` sets. */
export interface ShownFlags {
  shownHere?: boolean;
}

/** Adds `--shown-here`. */
export function shownOption(command: Command): Command {
  return command.option('--shown-here', 'refuse what rests on the word of the server: posts, contract wallets');
}

/** A column that says it; empty where nothing is bound. */
export function shownColumn<Row>(shownOf: (row: Row) => Shown | undefined): Column<Row> {
  return { title: 'SHOWN', text: (row) => shownOf(row) ?? '' };
}

/** Of a link that binds, where its checks did not fail. */
export function shownByLink(checked: CheckedLink): Shown | undefined {
  return checked.link.action === 'create' && checked.ok ? shownBy(checked) : undefined;
}

/** Of a binding in a file, by the link that made it. */
export function shownInChain(
  { bindings, links }: ChainVerification,
  { platform, identity, created_at }: ExportedBinding,
): Shown | undefined {
  const made = bindings.find(
    (link) => link.platform === platform && link.identity === identity && link.created_at === created_at,
  );
  const checked = links.find(({ link }) => link === made);
  return checked && shownByLink(checked);
}
