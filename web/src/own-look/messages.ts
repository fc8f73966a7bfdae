/** What page and frame say to each other. The frame takes claims and never addresses. */
import type { Bound, Look } from '@signet/look/browser';
import type { Language } from '../i18n/i18n.js';

/** Address of the frame's document on this server. */
export const FRAME_ADDRESS = '/look-frame';

/** The first message to the frame, with a port for all that follows. */
export interface LookRequest {
  bound: Bound;
  language: Language;
  /** Whether the visitor has agreed before that these hosts are asked; counts for hosts of platforms alone. */
  agreed: string[];
}

/** What the frame says on the port. */
export type FrameMessage =
  | { kind: 'ready' }
  /** Of what it shows, CSS pixels. */
  | { kind: 'height'; height: number }
  /** The visitor agreed, in this frame or before, and these hosts are asked now. */
  | { kind: 'asking'; hosts: string[] }
  | { kind: 'declined' }
  | { kind: 'look'; look: Look };
