import { readFileSync } from 'node:fs';
import { writeVerifierKey } from '@signet/verify/log';
import { noteSigner } from '@signet/verify/log-sign';
import type { ExportFile } from '@signet/verify';
import type { Locator, Page } from 'playwright-core';
import { anAvatar } from '../support/avatar.js';
import { startLyingProxy } from './lying-proxy.js';
import { describeScene } from './describe-scene.js';
import { counts } from './shown.js';

/** What the page makes of an exported file. */
describeScene('an exported file', (visit, world) => {
  it('checks an exported file when the server is gone, and finds what was changed in it', async () => {
    const { scene } = world();
    const server = await startLyingProxy(scene.baseUrl);
    const seen = await visit(`${server.baseUrl}/a/${scene.alice.avatar}`);
    const { page } = seen;
    await page.locator('.summary .checked-here.ok').first().waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download everything' }).click(),
    ]);
    const text = readFileSync(await download.path(), 'utf8');
    await page.getByRole('link', { name: 'Check a file' }).click();
    await page.getByRole('heading', { level: 1, name: 'Check a file' }).waitFor();
    await server.close();

    await drop(page, text);
    await page.locator('.file-result > .checked-here.ok').waitFor();
    await page.locator('.file-result .chain > li.ok').nth(5).waitFor({ state: 'attached' });
    // Sentences that name what they are about, without a word in front.
    const whole = page.locator('.file-result > .steps > li > div').filter({ hasNot: page.locator('strong') });
    expect(await whole.allInnerTexts()).toEqual([
      'All 5 statements are signed by the key, and each is in its place.',
      'This is exactly what the key signed, in 2 changes.',
    ]);
    const ofFile = page
      .locator('.file-result > .steps > li > div')
      .filter({ has: page.locator('strong', { hasText: /^File/ }) });
    expect(await ofFile.allInnerTexts()).toEqual(['File It is an export of one key.']);
    await page.locator('.file-result .chain-title').getByText('The key itself', { exact: true }).first().waitFor();

    await drop(page, text.replace('"name": "Alice"', '"name": "Alicf"'));
    await page.locator('.file-result > .checked-here.failed').waitFor();
    await checkByKeyboard(page, text, scene.alice.avatar);
    await drop(page, 'This is not an export.');
    await page.getByText('It is not a JSON object.').waitFor();
    await seen.close();
  });

  it('shows by the proof of the map in a file that its newest link or patch was taken out, and nothing else', async () => {
    const { scene } = world();
    const file = await scene.client.export(scene.alice.avatar);
    const seen = await visit(`${scene.baseUrl}/verify`);
    const { page } = seen;
    const verdict = (state: string) => page.locator(`.file-result > .checked-here.${state}`);
    const nothingLeftOut = page.locator('.file-result > .steps > li').filter({ hasText: 'Nothing left out' });
    const cuts: [ExportFile, string][] = [
      [withoutItsRevoke(file), `Of ${file.links.length} links, 1 is left out, the newest among them.`],
      [withoutNewestPatch(file), `Of ${file.patches.length} patches, 1 is left out, the newest among them.`],
    ];

    for (const [cut, missing] of cuts) {
      await drop(page, JSON.stringify(file));
      await verdict('ok').waitFor();
      expect(await nothingLeftOut.getAttribute('class')).toBe('ok');
      expect(await nothingLeftOut.innerText()).toMatch(/Nothing is left out that the log had at UNIX time \d+:/);

      await drop(page, JSON.stringify(cut));
      await verdict('failed').waitFor();
      expect(await nothingLeftOut.getAttribute('class')).toBe('failed');
      expect(await nothingLeftOut.innerText()).toContain(missing);
      await counts(page.locator('.file-result li.failed'), 1);
    }
    await seen.close();
  });
});

/** Chooses a file of this content. */
async function drop(page: Page, content: string): Promise<void> {
  const buffer = Buffer.from(content);
  await page.setInputFiles('#export-file', { name: 'x.json', mimeType: 'application/json', buffer });
}

/** The file of a server that hides the newest link, a revoke, with its proof, and shows the binding as before. */
function withoutItsRevoke(file: ExportFile): ExportFile {
  const { action, platform, identity, uuid } = file.links.at(-1)!;
  expect(action).toBe('delete');
  const links = file.links.slice(0, -1);
  const { created_at } = links.findLast((link) => link.platform === platform && link.identity === identity)!;
  const bound = { ...file.bindings[0]!, platform, identity, created_at, evidence: null };
  return withoutProof({ ...file, links, bindings: [...file.bindings, bound] }, uuid);
}

function withoutNewestPatch(file: ExportFile): ExportFile {
  return withoutProof({ ...file, patches: file.patches.slice(0, -1) }, file.patches.at(-1)!.uuid);
}

/** The proof of the map stays as it is. */
function withoutProof(file: ExportFile, uuid: string): ExportFile {
  const log = file.log!;
  const proofs = Object.fromEntries(Object.entries(log.proofs).filter(([name]) => name !== uuid));
  return { ...file, log: { ...log, proofs } };
}

/** Chooses the file, and says what is expected of it, by keyboard alone. */
async function checkByKeyboard(page: Page, text: string, avatar: string): Promise<void> {
  const { log } = JSON.parse(text) as { log: { verifier_key: string } };
  const step = (name: string) => page.locator('.file-result > .steps > li').filter({ hasText: name });
  const isThere = (state: string) => page.locator(`.file-result > .checked-here.${state}`).waitFor();
  // Choosers are caught from here on: to begin with one would come too late for it on a busy machine.
  page.on('filechooser', () => {});
  await page.getByRole('link', { name: 'Check a file' }).focus();
  const tabTo = async (what: Locator) => {
    for (let presses = 0; presses < 40; presses++) {
      if ((await what.and(page.locator(':focus')).count()) === 1) return;
      await page.keyboard.press('Tab');
    }
    throw new Error('It cannot be reached by keyboard.');
  };
  await tabTo(page.getByLabel('Drop the file here, or choose it'));
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.keyboard.press('Enter')]);
  await chooser.setFiles({ name: 'export.json', mimeType: 'application/json', buffer: Buffer.from(text) });
  await isThere('ok');
  await counts(step('Key of the log').locator('.stamp.not_checkable'), 1);

  await tabTo(page.locator('.expected summary'));
  await page.keyboard.press('Enter');
  await tabTo(page.getByLabel('The key that it should be of'));
  await page.keyboard.insertText(anAvatar('mallory').key.compressed);
  await isThere('failed');
  await step('Expected key').locator('.stamp.failed').waitFor();
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText(avatar);
  await isThere('ok');
  await tabTo(page.getByLabel('Verifier key of the log'));
  await page.keyboard.insertText('log nonsense');
  await page.getByText('This is neither a verifier key of a log nor a policy.').waitFor();
  expect(await page.locator('.file-result').count()).toBe(0);
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText(log.verifier_key);
  await isThere('ok');
  expect(await step('Key of the log').count()).toBe(0);
  const [name] = log.verifier_key.split('+');
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText(
    `log ${writeVerifierKey(noteSigner(name!, new Uint8Array(32).fill(3)).key)}\nquorum none`,
  );
  await isThere('failed');
  // The file is whole: what fails is the proof, which another log signed.
  const completeness = await step('Nothing left out').innerText();
  expect(completeness).toMatch(/or the proof of it does not hold\..*Its map proves nothing\./s);
  await page.keyboard.press('Control+A');
  await page.keyboard.press('Delete');
}
