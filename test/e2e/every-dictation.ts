/** Dictation in each state. The headless browser crashes when asked about its recogniser, so the page gets a fake one. */
import { button, main, type Tour } from './tour';

/** What the page learns about a language on the device, and how to make the recogniser say something. */
export interface StagedRecognition {
  onDevice: 'unavailable' | 'downloadable' | 'available';
  /** As a final or an interim result. */
  say?: (words: string, isFinal?: boolean) => void;
}
type Staged = typeof globalThis & { recognition: StagedRecognition };

/** An init script, so it must contain everything it uses. */
export function installRecognition(): void {
  const stage: StagedRecognition = { onDevice: 'unavailable' };
  class Recognition extends EventTarget {
    static available({ processLocally }: { processLocally: boolean }) {
      return Promise.resolve(processLocally ? stage.onDevice : 'available');
    }
    static install() {
      return Promise.resolve(false);
    }
    start() {
      stage.say = (transcript, isFinal = false) => {
        const results = [Object.assign([{ transcript, confidence: 0 }], { isFinal })];
        this.dispatchEvent(Object.assign(new Event('result'), { results, resultIndex: 0 }));
      };
      setTimeout(() => this.dispatchEvent(new Event('start')));
    }
    stop() {
      this.dispatchEvent(new Event('end'));
    }
    abort() {
      this.stop();
    }
  }
  Object.defineProperty(Recognition.prototype, 'processLocally', { value: false, writable: true });
  Object.assign(window, { SpeechRecognition: Recognition, recognition: stage });
}

export async function seeDictation({ page, words, rest, look }: Tour): Promise<void> {
  const { dictation, command } = rest;
  await button(page.getByRole('navigation'), words.navigation.newChat).click();
  await page.getByRole('heading', { name: words.empty.title }).waitFor();
  const strip = main(page).getByRole('group', { name: dictation.title, exact: true });
  const press = async (onDevice: StagedRecognition['onDevice']) => {
    await page.evaluate((now) => void ((globalThis as Staged).recognition.onDevice = now), onDevice);
    await button(main(page), command.names.dictate).click();
  };
  await press('unavailable');
  await button(strip, dictation.agree).waitFor();
  await look('whether what is said may leave the device');
  await button(strip, dictation.notNow).click();
  await press('downloadable');
  await button(strip, dictation.fetchPack).waitFor();
  await look('a language pack that the browser can fetch');
  await button(strip, dictation.fetchPack).click();
  await strip.getByRole('alert').waitFor();
  await look('a language pack that did not come');
  await press('available');
  await strip.getByText(dictation.here).waitFor();
  await page.evaluate(
    (said) => (globalThis as Staged).recognition.say?.(said),
    'And which lighthouse stands the longest? '.repeat(8),
  );
  await strip.getByText('And which').waitFor();
  await look('a message that is dictated');
  await button(main(page), command.names.dictate).click();
  await strip.waitFor({ state: 'hidden' });
  await page.getByRole('textbox', { name: words.composer.label, exact: true }).fill('');
}
