'use client';

import type { SignetProofAttributes } from '@signet/sdk/element';
import type { DetailedHTMLProps as Detailed, HTMLAttributes as OfAnyElement } from 'react';
import { createElement, type ReactNode, useEffect } from 'react';
import { useSignet } from './signet-provider.js';

/** What `<SignetProof>` takes. */
export interface SignetProofProps extends Omit<SignetProofAttributes, 'server'> {
  /** Shown until the element is there, by servers and without scripts too: the name of the account when absent. */
  children?: ReactNode;
  className?: string;
}

/**
 * A binding that checks itself: the element `<signet-proof>`, of the server of the client above. It is loaded behind
 * the first rendering, and only where it is used.
 *
 *     <SignetProof platform="github" identity="alice" />
 */
export function SignetProof({ children, className, ...asked }: SignetProofProps): ReactNode {
  const client = useSignet();
  useEffect(() => {
    // Where it cannot be loaded, what stands in it remains.
    import('@signet/sdk/element').catch(() => undefined);
  }, []);
  // Custom elements of React 18 know `class` alone, those of 19 both.
  const attributes = { ...asked, server: client.baseUrl, class: className };
  return createElement('signet-proof', attributes, children ?? `${asked.identity} (${asked.platform})`);
}

declare module 'react' {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- the place where React looks for elements
  namespace JSX {
    interface IntrinsicElements {
      'signet-proof': SignetProofAttributes & Detailed<OfAnyElement<HTMLElement>, HTMLElement>;
    }
  }
}
