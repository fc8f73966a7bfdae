/** Options that a program in JavaScript gets wrong: each is named by the sentence of its error. */
import { createVerifiers, type Fetcher } from '@signet/look';
import { createLooker as createBrowserLooker } from '@signet/look/browser';
import { createLooker } from '@signet/look/node';
import { WrongUsageError } from '@signet/verify/errors';

const makers: [string, (options: never) => unknown][] = [
  ['createLooker of Node', createLooker],
  ['createLooker of browsers', createBrowserLooker],
  ['createVerifiers', (options) => createVerifiers({} as Fetcher, options)],
];

describe.each(makers)('%s', (_name, make) => {
  it.each([
    [null, 'options has to be an object, and is null.'],
    ['github', 'options has to be an object, and is of the type string.'],
    [{ githb: { token: 'secret' } }, 'A look has no option "githb": it takes twitter, github, discord, '],
    [{ github: { tokn: 'secret' } }, 'github has no option "tokn": it takes token, apiBase, serviceName, timeoutMs, '],
    [{ github: 'secret' }, 'github has to be an object, and is of the type string.'],
    [{ github: { token: 5 } }, 'github.token has to be a text, and is of the type number.'],
    [{ twitter: { timeoutMs: '5' } }, 'twitter.timeoutMs has to be a number above 0, and is of the type string.'],
    [{ timeoutMs: 0 }, 'timeoutMs has to be a number above 0'],
    [{ ethereum: { rpcUrls: '1=https://rpc.example' } }, 'ethereum.rpcUrls has to be a list of texts'],
    [{ dns: { servers: [53] } }, 'dns.servers has to be a list of texts, and is a list.'],
    [{ mayAsk: 'yes' }, 'mayAsk has to be a function, and is of the type string.'],
  ])('refuses the options of case %#', (options, sentence) => {
    expect(() => make(options as never)).toThrow(WrongUsageError);
    expect(() => make(options as never)).toThrow(sentence);
  });

  it('does not show what may be a secret', () => {
    expect(() => make({ github: { token: ['secret'] } } as never)).toThrow(/^(?!.*secret)/);
  });

  it('takes what is absent, and what the other kind of looker knows', () => {
    const options = { github: undefined, discord: { token: undefined, channels: ['1'] }, contact: 'a@b.example' };

    expect(() => make({ ...options, version: '1', mayAsk: () => true, maxBytes: 1024 } as never)).not.toThrow();
  });
});
