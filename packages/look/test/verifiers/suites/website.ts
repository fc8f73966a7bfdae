import { WebsiteVerifier } from '../../../src/verifiers/website.verifier.js';
import { type StandInHandler, type StandInReply, textReply } from '../../support/stand-in-server.js';
import type { VerifierUnderTest } from '../describe-verifier.js';

/** The host that somebody owns. */
export const HOST = 'alice.example.org';
/** Where its file is. */
export const FILE = '/.well-known/signet.json';
/** A page with this in its head and body. */
export const page = (head: string, body = '<p>Hello.</p>') =>
  textReply(
    `<!doctype html><html><head><title>Alice</title>${head}</head><body>${body}</body></html>`,
    200,
    'text/html',
  );
/** What a host has, by its name and path; everything else is a 404 page. */
export const site =
  (files: Record<string, StandInReply>): StandInHandler =>
  ({ headers, path }) =>
    files[`${headers['host']}${path}`] ?? textReply('<html>', 404, 'text/html');

/** A whole host: what it answers. */
export const ofHost: VerifierUnderTest = {
  platform: 'website',
  identity: HOST,
  otherIdentity: 'mallory.example.org',
  proofLocation: '',
  create: (web) => new WebsiteVerifier(web),
  browser: (web) => new WebsiteVerifier(web),
  settings: () => ({}),
  readsHtml: true,
  hosts: [HOST, 'mallory.example.org', 'www.example.org'],
  published: ({ author, text }) => site({ [`${author}${FILE}`]: textReply(text, 200, 'application/json') }),
  absenceIsNo: {
    sign_payload: 'a document without it is no proof document',
    signature: 'the signature is the proof itself',
  },
  otherForms: {
    'a list of documents': ({ author, text }) =>
      site({ [`${author}${FILE}`]: textReply(`[{"version":"1"},${text}]`, 200, 'application/json') }),
    'a redirect on the host': ({ author, text }) =>
      site({
        [`${author}${FILE}`]: { status: 301, headers: { location: '/files/signet.json' } },
        [`${author}/files/signet.json`]: textReply(text, 200, 'application/octet-stream'),
      }),
  },
  missing: {
    'no file, and a page without meta': site({ [`${HOST}/`]: page('') }),
    'nothing at all': site({}),
    'a file of other JSON': site({ [`${HOST}${FILE}`]: textReply('{"a":1}', 200, 'application/json') }),
  },
  foreign: {
    'the text of a page': ({ author, text }) => site({ [`${author}/`]: page('', `<p>${text}</p>`) }),
  },
};

const withMeta = { ...ofHost, identity: `${HOST}/~alice`, otherIdentity: `${HOST}/~mallory`, absenceIsNo: {} };
/** A page below a host: what it answers. */
export const ofPage: VerifierUnderTest = {
  ...withMeta,
  published: ({ author, text }) => site({ [author]: page(text) }),
  otherForms: {
    'a redirect on the host': ({ author, text }) =>
      site({ [author]: { status: 302, headers: { location: `https://${author}/` } }, [`${author}/`]: page(text) }),
  },
  missing: {
    'no page': site({}),
    'a page without meta': site({ [`${HOST}/~alice`]: page('') }),
  },
  foreign: {
    'meta in the body of a page': ({ author, text }) => site({ [author]: page('', text) }),
    'meta behind the first words of a page without a head': ({ author, text }) =>
      site({ [author]: textReply(`<!doctype html><title>Alice</title>\nHello. ${text}`, 200, 'text/html') }),
    'meta in a comment': ({ author, text }) => site({ [author]: page(`<!-- ${text} -->`) }),
    'meta in a script': ({ author, text }) => site({ [author]: page(`<script>"${text}"</script>`) }),
    'meta in a template': ({ author, text }) => site({ [author]: page(`<template>${text}</template>`) }),
    'meta of another name': ({ author, text }) => site({ [author]: page(text.replace('"signet"', '"description"')) }),
  },
};
