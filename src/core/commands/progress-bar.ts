import { printMessage } from './command.ts';

const width = 30;

export interface StatusLine extends Disposable {
  show(text: string): void;
  end(): void;
}

/** A line on standard error that is written again and again, if that is a terminal. */
export function createStatusLine(): StatusLine {
  if (!process.stderr.isTTY) return { show() {}, end() {}, [Symbol.dispose]() {} };
  let lastShownAt = Number.NEGATIVE_INFINITY;
  let isShown = false;
  const end = () => {
    if (isShown) process.stderr.write('\r\u001b[K');
    isShown = false;
  };
  return {
    show(text) {
      const now = performance.now();
      if (now - lastShownAt < 100) return;
      lastShownAt = now;
      isShown = true;
      process.stderr.write(`\r${text}\u001b[K`);
    },
    end,
    [Symbol.dispose]: end,
  };
}

/** A progress bar in the status line. Without a total it shows the number only. */
export function createProgressBar(total: number | undefined) {
  const { show, ...line } = createStatusLine();
  return {
    ...line,
    show(done: number) {
      if (!total) return show(`${done.toLocaleString('en')} `);
      const fraction = Math.min(1, done / total);
      const bar = '█'.repeat(Math.round(fraction * width)).padEnd(width, '░');
      show(`${bar} ${String(Math.floor(fraction * 100)).padStart(3)} % `);
    },
  };
}

/** Shows the progress of work in phases. `total` is missing if it is not known. */
export type PhaseProgress = (phase: string, done: number, total?: number) => void;

/** A line for each phase, and a bar if its end is known. */
export function createPhaseProgress(): { progress: PhaseProgress; end(): void } {
  let bar = createProgressBar(undefined);
  let shownPhase = '';
  return {
    progress(phase, done, total) {
      if (phase !== shownPhase) {
        bar.end();
        printMessage(phase);
        bar = createProgressBar(total);
        shownPhase = phase;
      }
      bar.show(done);
    },
    end: () => bar.end(),
  };
}
