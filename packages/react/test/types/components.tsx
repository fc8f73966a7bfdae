/** The types of hooks and components, and of the element in JSX. Compiled, never run. */
import { SignetProof, SignetProvider, useBindings, useIdentity, useProfile } from '@signet/react';
import { createClient, type Hex, type IdentityGroup, type Profile } from '@signet/sdk';
import { expectTypeOf } from 'expect-type';

const client = createClient({ baseUrl: 'https://signet.example' });

export function Page() {
  const { data } = useIdentity({ platform: 'github', identity: 'alice' });
  expectTypeOf(data?.holders[0]?.avatar).toEqualTypeOf<Hex | undefined>();
  expectTypeOf(useBindings(data?.holders[0]?.avatar).data).toEqualTypeOf<IdentityGroup | null | undefined>();
  expectTypeOf(useProfile(undefined).data).toEqualTypeOf<Profile | null | undefined>();
  return (
    <SignetProvider client={client}>
      <SignetProof platform="github" identity="alice" avatar="0x02" className="proof">
        alice
      </SignetProof>
      <signet-proof platform="github" identity="alice" server="https://signet.example" title="alice" />
      {/* @ts-expect-error -- of which account */}
      <SignetProof platform="github" />
      {/* @ts-expect-error -- of which server */}
      <signet-proof platform="github" identity="alice" />
    </SignetProvider>
  );
}

// @ts-expect-error -- without a client
export const broken = <SignetProvider>alice</SignetProvider>;
