/**
 * The icons of platforms: symbols by the name of the platform, in two files. /platform-icons.svg has those of the ten
 * platforms that are there everywhere, among them those of the first view; /further-platform-icons.svg has the others,
 * and is loaded where one is shown. Icons of brands are from Simple Icons (CC0-1.0); a brand whose icon has another
 * licence there, or none, has a drawing of ours.
 */
import {
  siActivitypub,
  siBluesky,
  siDiscord,
  siDiscourse,
  siEthereum,
  siGithub,
  siGitlab,
  siKeybase,
  siOrcid,
  siSolana,
  siSteam,
  siX,
  siYcombinator,
} from 'simple-icons';

const BRANDS = {
  twitter: siX,
  keybase: siKeybase,
  ethereum: siEthereum,
  github: siGithub,
  discord: siDiscord,
  solana: siSolana,
  activitypub: siActivitypub,
};
const FURTHER_BRANDS = {
  bluesky: siBluesky,
  discourse: siDiscourse,
  gitlab: siGitlab,
  hackernews: siYcombinator,
  orcid: siOrcid,
  steam: siSteam,
};

const LINES = 'fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round"';
/** A globe for domains, a tag for names, a bulb for Minds, an at sign for what is not known. */
const DRAWINGS = {
  dns: `<g ${LINES}><circle cx="12" cy="12" r="9.5"/><path d="M2.5 12h19M12 2.5c3 2.8 4 6 4 9.500s-1 6.700-4 9.500c-3-2.800-4-6-4-9.500s1-6.700 4-9.500z"/></g>`,
  dotbit: `<g ${LINES}><path d="M3 4.500v7l9 9 8.500-8.500-9-9h-7z"/><circle cx="8" cy="8" r="1.200"/></g>`,
  minds: `<g ${LINES}><path d="M9 17.500c0-2.500-3-4-3-8a6 6 0 0 1 12 0c0 4-3 5.500-3 8zM9.500 21h5"/></g>`,
  other: `<g ${LINES}><circle cx="12" cy="12" r="4"/><path d="M16 8v5.500a2.700 2.700 0 0 0 5.500 0V12a9.500 9.500 0 1 0-3.800 7.600"/></g>`,
};

/** Two branches for Forgejo, a letter in a frame for Lobsters, three that know each other for Nostr, a page. */
const FURTHER_DRAWINGS = {
  forgejo: `<g ${LINES}><circle cx="7" cy="20" r="2"/><circle cx="17" cy="4" r="2"/><circle cx="17" cy="12" r="2"/><path d="M7 18V10a6 6 0 0 1 6-6h2M7 18a6 6 0 0 1 6-6h2"/></g>`,
  lobsters: `<g ${LINES}><path d="M3 3h18v18H3zM9.500 7v10h6"/></g>`,
  nostr: `<g ${LINES}><circle cx="12" cy="5" r="2.500"/><circle cx="5" cy="18.500" r="2.500"/><circle cx="19" cy="18.500" r="2.500"/><path d="M10.800 7.300l-4.600 8.900M13.200 7.300l4.600 8.900M7.500 18.500h9"/></g>`,
  website: `<g ${LINES}><path d="M2.5 4.500h19v15h-19zM2.500 9h19M5.500 6.800h.1M8 6.800h.1"/></g>`,
};

const symbol = (name, content) => `<symbol id="${name}" viewBox="0 0 24 24">${content}</symbol>`;

const sprite = (brands, drawings) =>
  `<svg xmlns="http://www.w3.org/2000/svg">${[
    ...Object.entries(brands).map(([name, { path, license }]) => {
      if (license && license.type !== 'CC0-1.0') throw new Error(`The icon of ${name} is under ${license.type}.`);
      return symbol(name, `<path fill="currentColor" d="${path}"/>`);
    }),
    ...Object.entries(drawings).map(([name, content]) => symbol(name, content)),
  ].join('')}</svg>\n`;

const FILES = {
  'platform-icons.svg': sprite(BRANDS, DRAWINGS),
  'further-platform-icons.svg': sprite(FURTHER_BRANDS, FURTHER_DRAWINGS),
};

/** Writes the files into the build, and answers them in development. */
export function platformIcons() {
  return {
    name: 'platform-icons',
    configureServer: ({ middlewares }) => {
      for (const [name, source] of Object.entries(FILES)) {
        middlewares.use(`/${name}`, (_request, answer) => {
          answer.setHeader('Content-Type', 'image/svg+xml');
          answer.end(source);
        });
      }
    },
    generateBundle() {
      for (const [fileName, source] of Object.entries(FILES)) this.emitFile({ type: 'asset', fileName, source });
    },
  };
}
