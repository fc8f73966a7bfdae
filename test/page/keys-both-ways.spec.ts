import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { installCommand, type InstalledCommand } from '../cli/installed-command.js';
import { type RunningApp, startApp } from '../support/app.js';
import { describePage } from './browser.js';

const PASSPHRASE = 'correct horse battery';

describe('keys that the page and the command open of each other', () => {
  let running: RunningApp;
  let command: InstalledCommand;
  beforeAll(async () => {
    running = await startApp();
    command = installCommand(() => running.baseUrl);
  });
  afterAll(async () => {
    command?.remove();
    await running?.close();
  });

  describePage('in a browser', (visit) => {
    const open = () => visit(`${running.baseUrl}/bind?platform=ethereum`, { expected: [/status of 40[04]/] });
    const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
    const keyShown = (page: Page) => page.locator('.key-shown code').getAttribute('title');

    it('opens the words that the page saved, as the file that it is', async () => {
      const seen = await open();
      const { page } = seen;
      await press(page, 'Make a key');
      const [download] = await Promise.all([page.waitForEvent('download'), press(page, 'Save as a file')]);
      const sheet = readFileSync(await download.path(), 'utf8');
      await page.reload();
      await page.getByText('I have 12 words already', { exact: true }).click();
      await page.locator('textarea').fill(sheet);
      await press(page, 'Use this key');
      await page.getByRole('heading', { name: 'Your key' }).waitFor();

      const { code, stderr, lines } = await command.run(
        ['--json', 'key', 'import'],
        { SIGNET_PASSPHRASE: PASSPHRASE },
        sheet,
      );

      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(lines[0].avatar).toBe(await keyShown(page));
      await seen.close();
    });

    it('opens in the page the encrypted file that the command made', async () => {
      const env = { SIGNET_PASSPHRASE: PASSPHRASE, SIGNET_KEY_FILE: `${command.home}/made.json` };
      const [{ avatar }] = (await command.run(['--json', 'key', 'new'], env)).lines;
      const file = (await command.run(['key', 'export', '--encrypted'], env)).stdout;
      const seen = await open();
      const { page } = seen;
      await page.getByText('I have a key file', { exact: true }).click();
      const made = { name: 'key.json', mimeType: 'application/json', buffer: Buffer.from(file) };
      await page.getByLabel('File').setInputFiles(made);
      await page.getByLabel('Pass phrase').fill(PASSPHRASE);
      await press(page, 'Unlock');
      await page.getByRole('heading', { name: 'Your key' }).waitFor();

      expect(await keyShown(page)).toBe(avatar);
      await seen.close();
    });
  });
});
