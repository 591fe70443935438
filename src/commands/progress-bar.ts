const width = 30;

/** A progress bar on standard error if that is a terminal. Without a total it shows the number only. */
export function createProgressBar(total: number | undefined): { show(done: number): void; end(): void } {
  if (!process.stderr.isTTY) return { show() {}, end() {} };
  let lastShownAt = 0;
  let isShown = false;
  return {
    show(done) {
      const now = performance.now();
      if (now - lastShownAt < 100) return;
      lastShownAt = now;
      isShown = true;
      if (!total) return void process.stderr.write(`\r${done.toLocaleString('en')} `);
      const fraction = Math.min(1, done / total);
      const bar = '█'.repeat(Math.round(fraction * width)).padEnd(width, '░');
      process.stderr.write(`\r${bar} ${String(Math.floor(fraction * 100)).padStart(3)} % `);
    },
    end() {
      if (isShown) process.stderr.write('\r\u001b[K');
      isShown = false;
    },
  };
}
