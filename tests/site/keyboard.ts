/** An editor without a mouse: presses keys, counts them, and reaches a control only as the keyboard does. */
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { hasFocus } from './editing-site.ts';

declare const window: { pointerEvents: number };

/** Runs in the page. */
const countPointerEvents = () => {
  window.pointerEvents = 0;
  for (const type of ['pointerdown', 'mousedown', 'touchstart'])
    addEventListener(type, () => (window.pointerEvents += 1), { capture: true });
};

/** More than any view of the editor has controls. */
const mostTabs = 150;

export class Keyboard {
  readonly page: Page;
  presses = 0;
  readonly #start = performance.now();

  constructor(page: Page) {
    this.page = page;
  }

  static async of(page: Page): Promise<Keyboard> {
    await page.context().addInitScript(countPointerEvents);
    await page.evaluate(countPointerEvents);
    return new Keyboard(page);
  }

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
    this.presses += keys.length;
  }

  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text);
    this.presses += text.length;
  }

  /** Presses Tab until the control has the focus. */
  async tabTo(control: Locator): Promise<void> {
    await control.waitFor();
    for (let tabs = 0; tabs < mostTabs; tabs += 1) {
      if (await hasFocus(control)) return;
      await this.press('Tab');
    }
    throw new Error(`${mostTabs} times Tab do not lead to ${control}`);
  }

  /** Replaces the text of the field that has the focus. */
  async replace(text: string): Promise<void> {
    await this.press('Control+a');
    await this.type(text);
  }

  /** Picks from the candidates of the field that has the focus. */
  async pick(words: string, option: RegExp): Promise<void> {
    await this.type(words);
    const wanted = this.page.getByRole('option', { name: option }).first();
    await wanted.waitFor();
    for (let steps = 0; steps < mostTabs; steps += 1) {
      if ((await wanted.getAttribute('aria-selected')) === 'true') break;
      await this.press('ArrowDown');
    }
    await this.press('Enter');
  }

  /** Writes what the task took, and holds that no pointer was used. */
  async report(task: string): Promise<void> {
    const seconds = ((performance.now() - this.#start) / 1000).toFixed(1);
    process.stdout.write(`${task}: ${this.presses} key presses, ${seconds} s by the test\n`);
    expect(await this.page.evaluate(() => window.pointerEvents)).toBe(0);
  }
}
